import type icons from './icons.json'

export type IconName = keyof typeof icons

/**
 * A line icon on a 24-unit square, drawn with the text's colour. Decorative: the name stands in the text beside it. The
 * shapes stand in the page itself (`scripts/symbols-plugin.ts`), so that none waits for a script or is one.
 */
export function Icon({ name, size = 20, filled = false }: { name: IconName; size?: number; filled?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <use href={`#icon-${name}`} />
    </svg>
  )
}
