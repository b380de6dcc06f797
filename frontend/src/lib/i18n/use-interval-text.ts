import { useTranslation } from './i18n'

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** How often something may be done: `toutes les 2 heures`, `every day`; in the largest unit that it is a whole number of. */
export function useIntervalText(seconds: number): string {
  const { t } = useTranslation('ui')
  const [length, unit] = UNITS.find(([size]) => seconds % size === 0) ?? ([1, 'second'] as const)
  return t(`every.${unit}`, { count: seconds / length })
}
