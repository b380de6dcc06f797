import type icons from './icons.json'

export type IconName = keyof typeof icons

/**
 * A line icon on a 24-unit square, in the text's color. Decorative: the text beside it names it.
 * The shapes are part of the HTML (`scripts/symbols-plugin.ts`), so that icons are drawn before any
 * script has run.
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
