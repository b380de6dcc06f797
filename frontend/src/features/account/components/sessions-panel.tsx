import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { useNavigate } from 'react-router'
import { QueryStates } from '@/components/query/query-states'
import { Facts, Panel, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { formatDate } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import {
  endOtherSessionsMutation,
  endSessionMutation,
  leaveEverywhereMutation,
  sessionsQuery,
  type OpenSession,
} from '../api/sessions'
import { deviceOf } from '../model/device'
import { ConfirmButton } from '@/components/ui/confirm-button'

/** The list of sessions, with buttons to end them. */
export function SessionsPanel() {
  const { t } = useTranslation('account')
  const sessions = useQuery(sessionsQuery())
  return (
    <Panel
      title={t('sessions.title')}
      intro={t('sessions.intro')}
      actions={<SignOutButtons sessions={sessions.data} />}
    >
      <QueryStates query={sessions} loading={<PanelLoading />} failed={t('sessions.unreadable')}>
        {(open) => (
          <PanelList label={t('sessions.title')}>
            {open.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </PanelList>
        )}
      </QueryStates>
    </Panel>
  )
}

function SignOutButtons({ sessions }: { sessions: OpenSession[] | undefined }) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const navigate = useNavigate()
  const { signOut } = useSession()
  const leaveOthers = useMutation(endOtherSessionsMutation())
  const leaveAll = useMutation(leaveEverywhereMutation(signOut))
  const isAlone = sessions !== undefined && sessions.length < 2
  return (
    <>
      <Button busy={leaveOthers.isPending} disabled={isAlone} onClick={() => leaveOthers.mutate()}>
        {t('sessions.endOthers')}
      </Button>
      <ConfirmButton
        variant="danger"
        icon="logout"
        title={t('sessions.confirmTitle')}
        text={t('sessions.confirmText')}
        confirm={t('sessions.endAll')}
        onConfirm={() => leaveAll.mutateAsync(undefined, { onSuccess: () => navigate(paths.home(language)) })}
      >
        {t('sessions.endAll')}
      </ConfirmButton>
    </>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const { t } = useTranslation('account')
  const language = useLanguage()
  const { browser, system, isPhone, program } = deviceOf(session.userAgent)
  const name =
    browser !== null && system !== null
      ? t('sessions.device', { browser, system })
      : (browser ?? (program === null ? t('sessions.unknown') : t('sessions.program', { program })))
  const end = useMutation(endSessionMutation())
  const facts = [
    session.isCurrent
      ? t('sessions.since', { date: formatDate(session.createdAt, language) })
      : t('sessions.seen', { when: formatRelative(session.lastSeenAt, language) }),
    session.ip,
  ]
  return (
    <PanelRow
      icon={<Icon name={isPhone ? 'phone' : 'screen'} />}
      title={name}
      badge={session.isCurrent && <Badge tone="accent">{t('sessions.current')}</Badge>}
      details={<Facts facts={facts} />}
      action={
        !session.isCurrent && (
          <Button
            size="small"
            busy={end.isPending}
            onClick={() => end.mutate({ id: session.id, device: name })}
            aria-label={t('sessions.endNamed', { device: name })}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    />
  )
}
