/** The site's mark, a podium in a laurel wreath, and its name. Their drawings stand in the page itself. */
export function Logo({ size = 38 }: { size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true" focusable="false">
      <use href="#brand-mark" />
    </svg>
  )
}

/** The name in its own letters, in the colour of the text around it. */
export function Wordmark({ height = 25 }: { height?: number }) {
  return (
    <svg width={(height * 400) / 88} height={height} role="img" aria-label="Palmarès" focusable="false">
      <use href="#brand-name" />
    </svg>
  )
}
