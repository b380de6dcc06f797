import { useTranslation } from '@/lib/i18n/i18n'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/i18n/format'
import type { Neighbours } from '@/entities/server/neighbours'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './server-place.module.css'

interface ServerPlaceProps {
  /** Undefined during the refetch; null if there is nothing to show. */
  neighbours: Neighbours | null | undefined
  name: string
  /** The name of the game, if known. */
  game: string | null | undefined
}

/** The server's place in its game after the vote, and the gap to the next. */
export function ServerPlace({ neighbours, name, game }: ServerPlaceProps) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  if (neighbours === undefined) return <Skeleton width="18rem" height="2.75rem" radius="var(--radius-md)" />
  if (neighbours === null) return null
  const { self, ahead, behind } = neighbours
  const rank = formatNumber(self.game_rank, language)
  const votes = (count: number) => ({ count, formatted: formatNumber(count, language) })
  return (
    <p className={styles.standing}>
      <strong>
        {game ? t('standing.place', { server: name, rank, game }) : t('standing.placeOnly', { server: name, rank })}
      </strong>{' '}
      {ahead !== null
        ? t('standing.behind', { ...votes(ahead.monthly_votes - self.monthly_votes), other: decodeStored(ahead.name) })
        : behind !== null &&
          t('standing.ahead', {
            ...votes(self.monthly_votes - behind.monthly_votes),
            other: decodeStored(behind.name),
          })}
    </p>
  )
}
