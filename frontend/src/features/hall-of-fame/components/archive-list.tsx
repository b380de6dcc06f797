import { Link } from '@/components/ui/link'
import { Medal } from '@/components/ui/medal'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { MonthPlace } from '../api/month-places'
import styles from './archive-list.module.css'

interface ArchiveListProps {
  places: readonly MonthPlace[]
  /** The place of the first one in its game; null if the places are those among all. */
  first: number | null
}

/** Places of a past month, one a line. */
export function ArchiveList({ places, first }: ArchiveListProps) {
  return (
    <ol className={styles.list}>
      {places.map((row, at) => (
        <Line
          key={row.server_id}
          row={row}
          place={first === null ? (row.rank ?? 0) : first + at}
          game={first === null ? row.game_name : null}
        />
      ))}
    </ol>
  )
}

/** The page of one game has the game's name in its heading. */
function Line({ row, place, game }: { row: MonthPlace; place: number; game: string | null }) {
  const { t } = useTranslation('hall-of-fame')
  const language = useLanguage()
  const name = decodeStored(row.name ?? '')
  return (
    <li className={styles.line} value={place}>
      {place <= 3 ? (
        <Medal place={place} label={t('place', { place })} />
      ) : (
        <span className={styles.place} aria-label={t('place', { place })}>
          {formatNumber(place, language)}
        </span>
      )}
      <ServerLogo src={row.logo_image_url} name={name} size={40} />
      <span className={styles.words}>
        <Link to={paths.server(language, { slug: row.slug })} className={styles.name}>
          {name}
        </Link>
        {game && <span className={styles.game}>{game}</span>}
      </span>
      <span className={styles.votes}>
        {t('votes', { count: row.votes ?? 0, formatted: formatNumber(row.votes ?? 0, language) })}
      </span>
    </li>
  )
}
