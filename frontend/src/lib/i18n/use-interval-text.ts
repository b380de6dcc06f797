import { useTranslation } from './i18n'

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/**
 * An interval as text: `toutes les 2 heures`, `every day`; in the largest unit with a whole number.
 */
export function useIntervalText(seconds: number): string {
  const { t } = useTranslation('ui')
  const [length, unit] = UNITS.find(([size]) => seconds % size === 0) ?? ([1, 'second'] as const)
  return t(`every.${unit}`, { count: seconds / length })
}
