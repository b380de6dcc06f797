/**
 * The site's logo, a podium in a laurel wreath, and its name. Their symbols are part of the HTML.
 */
export function Logo({ size = 38 }: { size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true" focusable="false">
      <use href="#brand-mark" />
    </svg>
  )
}

/** The site's name as a drawing, in the color of the surrounding text. */
export function Wordmark({ height = 25 }: { height?: number }) {
  return (
    <svg width={(height * 400) / 88} height={height} role="img" aria-label="Palmarès" focusable="false">
      <use href="#brand-name" />
    </svg>
  )
}
