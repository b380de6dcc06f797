import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { ServerLogo } from '@/components/ui/server-logo'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/i18n/format'
import { paths } from '@/lib/routing/paths'
import { neighboursQuery, type Neighbour } from '@/entities/server/neighbours'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { Panel } from '@/components/ui/panel'
import styles from './similar.module.css'

/** Three more servers of the same game. Renders nothing if there are none. */
export function Similar({ serverId, game }: { serverId: string; game: string }) {
  const { t } = useTranslation('server-page')
  const neighbours = useQuery(neighboursQuery(serverId))
  if (neighbours.data?.similar.length === 0 || neighbours.data === null) return null
  return (
    <Panel variant="boxed" title={t('similar.title', { game })}>
      <QueryStates
        query={neighbours}
        loading={<Skeleton height="10.5rem" radius="var(--radius-md)" />}
        failed={t('similar.failed')}
      >
        {({ similar }) => (
          <ul className={styles.list}>
            {similar.map((server) => (
              <li key={server.id}>
                <Row server={server} />
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
    </Panel>
  )
}

function Row({ server }: { server: Neighbour }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const name = decodeStored(server.name)
  const votes = { count: server.monthly_votes, formatted: formatNumber(server.monthly_votes, language) }
  return (
    <Link to={paths.server(language, server)} className={styles.row}>
      <ServerLogo src={server.logo_image_url} name={name} size={40} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.votes}>{t('similar.votes', votes)}</span>
      </span>
    </Link>
  )
}
