import { useTranslation } from '@/lib/i18n/i18n'

const POSITIONS = [1, 2, 3] as const

/** The name of a purchase: `30 jours de Prestige`, `Espace Arcade de gauche, 3 jours`. */
export function useSubjectWords(): (subject: { kind: string; days: number; position: number | null }) => string {
  const { t } = useTranslation('payments')
  return ({ kind, days, position }) => {
    const count = { count: days }
    if (kind !== 'arcade') return t('subject.prestige', count)
    const place = POSITIONS.find((known) => known === position)
    return place === undefined ? t('subject.arcade', count) : t(`subject.arcadeAt.${place}`, count)
  }
}
