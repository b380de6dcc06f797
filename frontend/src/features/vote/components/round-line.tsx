import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'
import { useTranslation } from '@/lib/i18n/i18n'
import { openVoteDialog } from '@/entities/vote/dialog'
import type { Round } from '@/entities/vote/round'
import styles from './round-line.module.css'

/** The progress of a round, and a button that skips a server. */
export function RoundLine({ round, skips }: { round: Round; skips: boolean }) {
  const { t } = useTranslation('vote')
  const { place, count, next } = round
  const text = t('round.place', { place, count })
  return (
    <div className={styles.round}>
      <div className={styles.words}>
        <span>{text}</span>
        {skips && next !== null && (
          <Button variant="quiet" size="small" onClick={() => openVoteDialog(next)}>
            {t('round.skip')}
          </Button>
        )}
      </div>
      <Progress label={text} value={skips ? place - 1 : place} max={count} />
    </div>
  )
}
