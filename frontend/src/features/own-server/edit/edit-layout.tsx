/** The frame of all tabs of a server: its name, its visibility, and links to the tabs. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { FormLoading } from '@/components/form/form-loading'
import { NotFoundState } from '@/components/layout/not-found-state'
import { QueryStates } from '@/components/query/query-states'
import { Badge } from '@/components/ui/badge'
import { Button, ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { ServerLogo } from '@/components/ui/server-logo'
import { TabLinks } from '@/components/ui/tab-links'
import { useNow } from '@/components/ui/use-now'
import { mayShow, setVisibilityMutation, visibilityOf } from '@/entities/server/visibility'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useSession } from '@/lib/session/session'
import { isStaff } from '@/lib/session/staff'
import { decodeStored } from '@/lib/text/stored-text'
import { ownServerQuery, type OwnServer } from '../api/own-server'
import { prestigeEnd } from '../model/prestige-status'
import styles from './edit-layout.module.css'
import type { TabProps } from './use-edit-form'

/** In the order of the specification, with deletion last. */
const TABS = {
  basic: 'editServer',
  events: 'editServerEvents',
  media: 'editServerMedia',
  integrations: 'editServerIntegrations',
  prestige: 'editServerPrestige',
  delete: 'editServerDelete',
} as const

export type EditTab = keyof typeof TABS

interface EditLayoutProps {
  id: string
  tab: EditTab
  children: (props: TabProps) => ReactNode
}

export function EditLayout({ id, tab, children }: EditLayoutProps) {
  const { t } = useTranslation('own-server')
  const { user, profile } = useSession()
  const refusalText = useRefusal()
  const query = useQuery(ownServerQuery(user?.id ?? '', id))
  if (user === null) return null
  const isOwn = query.data?.owner_id === user.id
  // The page shows no refusal before the session is known.
  const isPending = query.isPending || (query.data != null && !isOwn && profile === null)
  const editable = query.data && (isOwn || isStaff(profile)) ? query.data : query.data && null
  return (
    <QueryStates
      query={{ data: editable, isPending, isError: query.isError, refetch: query.refetch }}
      loading={<FormLoading fields={6} />}
      failed={(retry) => (
        <FailedState
          heading="h1"

          title={t('edit.unreadable')}
          onRetry={retry}
        >
          {refusalText(query.error)}
        </FailedState>
      )}
      empty={<Missing />}
    >
      {(server) => (
        <>
          <Head server={server} userId={user.id} tab={tab} />
          <div className={styles.tab}>{children({ server, userId: user.id })}</div>
        </>
      )}
    </QueryStates>
  )
}

function Head({ server, userId, tab }: { server: OwnServer; userId: string; tab: EditTab }) {
  const { t } = useTranslation(['own-server', 'visibility'])
  const language = useLanguage()
  const name = decodeStored(server.name)
  useDocumentHead({ title: `${t(`tab.${tab}`)} · ${name}`, indexed: false })
  const until = prestigeEnd(server, useNow(60_000))
  const visibility = visibilityOf(server)
  const tabs = (Object.keys(TABS) as EditTab[]).map((one) => ({
    to: paths[TABS[one]](language, { serverId: server.id }),
    label: t(`tab.${one}`),
  }))
  return (
    <div className={styles.head}>
      <Link to={paths.profile(language)} className={styles.up}>
        {t('edit.up')}
      </Link>
      <div className={styles.identity}>
        <ServerLogo src={server.logo_image_url} name={name} size={56} />
        <div className={styles.words}>
          <h1 className={styles.title}>{name}</h1>
          <p className={styles.badges}>
            <Badge tone={TONES[visibility]}>{t(`visibility:state.${visibility}`)}</Badge>
            {until !== null && (
              <Badge tone="gold" icon="crown">
                {t('prestige.until', { date: formatDate(until, language) })}
              </Badge>
            )}
          </p>
          {server.moderation_reason && (
            <p className={styles.reason}>{t('edit.reason', { reason: server.moderation_reason })}</p>
          )}
        </div>
        <div className={styles.actions}>
          <VisibilityButton server={server} userId={userId} />
          <ButtonLink size="small" icon="external" to={paths.server(language, server)}>
            {t('edit.see')}
          </ButtonLink>
        </div>
      </div>
      <TabLinks label={t('edit.tabs')} tabs={tabs} />
    </div>
  )
}

const TONES = {
  visible: 'online',
  hidden: 'plain',
  waiting: 'accent',
  moderated: 'danger',
  lapsed: 'plain',
  closed: 'plain',
} as const

/** Owners cannot undo a decision of somebody else. */
function VisibilityButton({ server, userId }: { server: OwnServer; userId: string }) {
  const { t } = useTranslation('visibility')
  const change = useMutation(setVisibilityMutation())
  const visibility = visibilityOf(server)
  const isVisible = visibility === 'visible'
  if (!isVisible && !mayShow(visibility)) return null
  return (
    <Button
      size="small"
      icon={isVisible ? 'eye-off' : 'eye'}
      busy={change.isPending}
      onClick={() => change.mutate({ id: server.id, userId, name: decodeStored(server.name), isVisible: !isVisible })}
    >
      {t(isVisible ? 'hide' : 'show')}
    </Button>
  )
}

function Missing() {
  const { t } = useTranslation('own-server')
  const to = paths.profile(useLanguage())
  return (
    <NotFoundState title={t('edit.missing')} link={{ to, icon: 'server', label: t('edit.up') }}>
      {t('edit.missingText')}
    </NotFoundState>
  )
}
