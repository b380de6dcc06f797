import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { Medal } from '@/components/ui/medal'
import { Panel } from '@/components/ui/panel'
import { formatMonth } from '@/lib/i18n/format-month'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { placingsQuery } from '../api/placings'
import styles from './placings.module.css'

/**
 * The months in which a server was among the first three of its game. Renders nothing if there are
 * none.
 */
export function Placings({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data } = useQuery(placingsQuery(serverId))
  if (!data?.length) return null
  return (
    <Panel variant="boxed" title={t('placings.title')}>
      <ul className={styles.list}>
        {data.map(({ month, place, games }) => (
          <li key={month}>
            <Link to={`${paths.gameHall(language, { game: games.slug })}#${month.slice(0, 7)}`} className={styles.row}>
              <Medal place={place} label={t('placings.place', { place })} />
              {formatMonth(month, language)}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
