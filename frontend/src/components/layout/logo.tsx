/** The site's mark: a podium whose first place is gold. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--accent-fill)" />
      <path d="M12 25.5V12.5a1.5 1.5 0 0 1 1.5-1.5h5a1.5 1.5 0 0 1 1.5 1.5v13z" fill="#f6c945" />
      <path
        d="M5 25.5v-6.5A1.5 1.5 0 0 1 6.5 17.5h4v8zM21.5 25.5v-5h4A1.5 1.5 0 0 1 27 22v3.5z"
        fill="#fff"
        fillOpacity="0.9"
      />
      <path d="m16 4 1 2.1 2.3.3-1.7 1.6.4 2.3-2-1.1-2 1.1.4-2.3-1.7-1.6 2.3-.3z" fill="#f6c945" />
    </svg>
  )
}
