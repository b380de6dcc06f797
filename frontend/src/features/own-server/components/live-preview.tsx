import { useDeferredValue, type ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import type { CardDraft } from '../model/card-draft'
import type { ServerValues } from '../model/server-form'
import { WhenNear } from './when-near'
import styles from './live-preview.module.css'

interface LivePreviewProps {
  /** Renders the list's own card, which belongs to another feature. */
  renderCard: (draft: CardDraft) => ReactNode
  /** What the card shows besides the values of the form. */
  known: Omit<CardDraft, 'values' | 'game'> & { base: Partial<ServerValues>; games: readonly { id: string }[] }
}

/** A live preview of the card in the ranking. Nothing on it can be clicked. */
export function LivePreview({ renderCard, known: { base, games, ...known } }: LivePreviewProps) {
  const { t } = useTranslation('own-server')
  const { control } = useFormContext()
  const typed = useDeferredValue(useWatch({ control }) as Partial<ServerValues>)
  const values = { ...base, ...typed }
  // The card of a new server is empty until something is typed; an existing server's card shows its
  // values.
  const isNew = known.row === null
  const waiting = isNew ? (
    <p className={styles.waiting}>{t('preview.waiting')}</p>
  ) : (
    <Skeleton height="11rem" radius="var(--radius-lg)" />
  )
  const game = games.find(({ id }) => id === values.game_id) as CardDraft['game']
  return (
    <section className={styles.preview} aria-label={t('preview.title')}>
      <p className={styles.title}>{t('preview.title')}</p>
      <WhenNear onFocus={isNew} fallback={waiting}>
        <div inert className={styles.card}>
          {renderCard({ ...known, values, game })}
        </div>
        <p className={styles.note}>{t('preview.note')}</p>
      </WhenNear>
    </section>
  )
}
