import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { OwnPanel } from '@/components/query/own-panel'
import { Badge } from '@/components/ui/badge'
import { Button, ButtonLink } from '@/components/ui/button'
import { Facts, PanelRow } from '@/components/ui/panel'
import { ServerLogo } from '@/components/ui/server-logo'
import { useNow } from '@/components/ui/use-now'
import { openPrestigeDialog } from '@/entities/prestige/dialog'
import { ownServersQuery, type OwnServer } from '@/entities/server/own'
import { mayShow, setVisibilityMutation, visibilityOf } from '@/entities/server/visibility'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { isActive, prestigeOf } from '../model/prestige'
import styles from './rows.module.css'

export function ServersPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const add = (
    <ButtonLink icon="plus" to={paths.addServer(language)}>
      {t('servers.add')}
    </ButtonLink>
  )
  return (
    <OwnPanel
      title={t('servers.title')}
      intro={t('servers.intro')}
      query={useQuery(ownServersQuery(userId))}
      unreadable={t('servers.unreadable')}
      empty={t('servers.empty')}
      next={add}
      actions={add}
    >
      {(server) => <ServerRow key={server.id} server={server} userId={userId} />}
    </OwnPanel>
  )
}

function ServerRow({ server, userId }: { server: OwnServer; userId: string }) {
  const { t } = useTranslation(['profile', 'visibility'])
  const language = useLanguage()
  const name = decodeStored(server.name)
  const change = useMutation(setVisibilityMutation())
  const state = visibilityOf(server)
  const isVisible = state === 'visible'
  const mayChange = isVisible || mayShow(state)
  const votes = t('servers.votes', {
    count: server.monthly_votes,
    number: formatNumber(server.monthly_votes, language),
  })
  return (
    <PanelRow
      icon={<ServerLogo src={server.logo_image_url} name={name} size={40} />}
      title={
        <Link to={paths.server(language, server)} className={styles.link}>
          {name}
        </Link>
      }
      badge={
        <>
          <Badge tone={isVisible ? 'online' : state === 'moderated' ? 'danger' : 'plain'}>
            {t(`visibility:state.${state}`)}
          </Badge>
          <PrestigeBadge server={server} />
        </>
      }
      details={<Facts facts={[server.games?.name, votes]} />}
      action={
        <>
          <ServerLinks server={server} name={name} />
          {mayChange && (
            <Button
              size="small"
              icon={isVisible ? 'eye-off' : 'eye'}
              busy={change.isPending}
              aria-label={t(isVisible ? 'visibility:hideNamed' : 'visibility:showNamed', { server: name })}
              onClick={() => change.mutate({ id: server.id, userId, name, isVisible: !isVisible })}
            >
              {t(isVisible ? 'visibility:hide' : 'visibility:show')}
            </Button>
          )}
        </>
      }
    />
  )
}

/** Links of one's own server: edit, integrations and Prestige. */
function ServerLinks({ server, name }: { server: OwnServer; name: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const now = useNow(60_000)
  const params = { serverId: server.id }
  const extend = isActive(server, now)
  return (
    <>
      <ButtonLink
        size="small"
        icon="edit"
        to={paths.editServer(language, params)}
        aria-label={t('servers.editNamed', { server: name })}
      >
        {t('servers.edit')}
      </ButtonLink>
      <ButtonLink
        size="small"
        icon="key"
        to={paths.editServerIntegrations(language, params)}
        aria-label={t('servers.apiNamed', { server: name })}
      >
        {t('servers.api')}
      </ButtonLink>
      <Button
        size="small"
        icon="crown"
        aria-haspopup="dialog"
        aria-label={t(extend ? 'servers.extendNamed' : 'servers.promoteNamed', { server: name })}
        onClick={() => openPrestigeDialog({ id: server.id, name })}
      >
        {t(extend ? 'servers.extend' : 'servers.promote')}
      </Button>
    </>
  )
}

function PrestigeBadge({ server }: { server: OwnServer }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const now = useNow(60_000)
  const prestige = prestigeOf(server, now)
  if (prestige.state === 'none') return null
  if (prestige.state === 'over')
    return <Badge>{t('servers.prestigeOver', { date: formatDate(prestige.on, language) })}</Badge>
  if (!server.shows_prestige) return <Badge icon="crown">{t('servers.prestigeOff')}</Badge>
  return (
    <Badge tone="gold" icon="crown">
      {prestige.state === 'active'
        ? t('servers.prestigeUntil', { date: formatDate(prestige.until, language) })
        : t('servers.prestigeDays', { count: prestige.days })}
    </Badge>
  )
}
