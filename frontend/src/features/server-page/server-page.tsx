/** The page of a server, by slug or id: loading, failed, missing or found. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { FailedState } from '@/components/ui/failed-state'
import { isOffline } from '@/lib/api/errors'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { movedQuery } from './api/moved'
import { hiddenServerQuery, serverQueryAt } from './api/server'
import { PageSkeleton } from './components/page-skeleton'
import { ServerView } from './components/server-view'
import styles from './server-page.module.css'

export function ServerPage() {
  const { t } = useTranslation(['server-page', 'errors'])
  const { slug = '' } = useParams()
  const { status, user } = useSession()
  const listed = useQuery(serverQueryAt(slug))
  // Only signed-in people may see hidden servers.
  const hidden = useQuery({
    ...hiddenServerQuery(slug, user?.id ?? ''),
    enabled: listed.data === null && user !== null,
  })
  const server = listed.data === null && user !== null ? hidden : listed
  const isMissing = server.data === null && status !== 'loading'
  // A renamed server redirects to its new address.
  const moved = useQuery({ ...movedQuery(slug, user?.id ?? null), enabled: isMissing })
  const language = useLanguage()
  const { search, hash } = useLocation()
  if (isMissing && moved.data)
    return <Navigate replace to={paths.server(language, { slug: moved.data }) + search + hash} />

  const isPending = server.isPending || (server.data === null && (status === 'loading' || moved.isPending))
  return (
    <QueryStates
      query={{ ...server, isPending }}
      loading={<PageSkeleton label={t('loading')} />}
      failed={(retry) => (
        <div className={styles.message}>
          <FailedState
            heading="h1"

            title={t('failed.title')}
            onRetry={retry}
          >
            {t(isOffline(server.error) ? 'errors:offline' : 'errors:server')}
          </FailedState>
        </div>
      )}
      empty={
        <div className={styles.message}>
          <MissingServer />
        </div>
      }
    >
      {(found) => <ServerView key={found.id} server={found} />}
    </QueryStates>
  )
}

function MissingServer() {
  const { t } = useTranslation('server-page')
  const to = paths.home(useLanguage())
  return (
    <NotFoundState title={t('missing.title')} link={{ to, icon: 'arrow-left', label: t('missing.back') }}>
      {t('missing.text')}
    </NotFoundState>
  )
}
