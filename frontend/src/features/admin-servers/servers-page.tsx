/** All servers, in any state. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Link } from '@/components/ui/link'
import { GameFilter } from '@/components/game/game-filter'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { Badge, StatusBadge } from '@/components/ui/badge'
import { PageHeader } from '@/components/ui/page-header'
import { useNow } from '@/components/ui/use-now'
import { gameNamesQuery } from '@/entities/game/names'
import { openServerAdminDialog, type AdministeredServer, type ServerAdminAction } from '@/entities/server/admin-dialog'
import { formatNumber } from '@/lib/i18n/format'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import styles from './admin-servers.module.css'
import { settleServerMutation } from './api/moderate-server'
import { serversTableQuery, fetchAllServers, type ServerRecord } from './api/servers'
import { isPromoted, LOOKS, STATES, stateOf } from './model/judging'

const SPEC = {
  sorts: ['created_at', 'updated_at', 'name'],
  sort: '-created_at',
  filters: { name: 'text', state: STATES, game: 'text', owner: 'text' },
} as const

export function ServersPage() {
  const { t } = useTranslation(['admin-servers', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const servers = useQuery(serversTableQuery(table.state))
  const games = useQuery(gameNamesQuery())
  const columns = useColumns()
  const actions = useActions()
  return (
    <>
      <PageHeader title={t('pages:adminServers')} description={t('leads:adminServers')} />
      <DataTable
        label={t('pages:adminServers')}
        columns={columns}
        table={table}
        query={servers}
        rowId={(server) => server.id}
        rowName={(server) => decodeStored(server.name)}
        actions={actions}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('name')} />
            <TextFilter table={table} name="owner" label={t('owner')} />
            <ChoiceFilter
              table={table}
              name="state"
              label={t('state')}
              all={t('states.all')}
              choices={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            />
            <GameFilter table={table} name="game" label={t('game')} all={t('allGames')} games={games.data ?? []} />
          </>
        }
        empty={t('empty')}
        failed={t('failed')}
        file={{ name: 'servers', rows: () => fetchAllServers(table.state) }}
      />
    </>
  )
}

/** The actions that a server's state allows. */
function useActions(): (server: ServerRecord) => RowAction[] {
  const { t } = useTranslation('admin-servers')
  const language = useLanguage()
  const navigate = useNavigate()
  const now = useNow(60_000)
  const settle = useMutation(settleServerMutation())
  return (row) => {
    const state = stateOf(row.server_state)
    const server: AdministeredServer = { id: row.id, name: decodeStored(row.name), state, owner_id: row.owner_id }
    const ask = (act: ServerAdminAction, tone: 'plain' | 'danger' = 'plain'): RowAction => ({
      label: t(`act.${act}`),
      tone,
      onSelect: () => openServerAdminDialog(act, server),
    })
    const decide = (decision: 'approve' | 'restore'): RowAction => ({
      label: t(`act.${decision}`),
      icon: 'check',
      disabled: settle.isPending,
      onSelect: () => settle.mutate({ server, decision }),
    })
    const go = (label: string, icon: 'eye' | 'edit' | 'link' | 'users', to: string): RowAction => ({
      label,
      icon,
      onSelect: () => void navigate(to),
    })
    return [
      go(t('act.open'), 'eye', paths.server(language, { slug: row.slug })),
      go(t('act.edit'), 'edit', paths.editServer(language, { serverId: row.id })),
      go(t('act.votes'), 'users', `${paths.adminVotes(language)}?${new URLSearchParams({ server: row.slug })}`),
      go(t('act.webhooks'), 'link', paths.adminWebhooks(language, { serverId: row.id })),
      ...(state === 'waiting' || state === 'refused' ? [decide('approve')] : []),
      ...(state === 'suspended' ? [decide('restore')] : []),
      isPromoted(row, now) ? ask('endPrestige') : ask('prestige'),
      ask('owner'),
      ...(state === 'shown' || state === 'hidden' ? [ask('suspend', 'danger')] : []),
      ...(state === 'refused' ? [] : [ask('refuse', 'danger')]),
      ask('delete', 'danger'),
    ]
  }
}

function useColumns(): Column<ServerRecord>[] {
  const { t } = useTranslation('admin-servers')
  const language = useLanguage()
  return [
    {
      id: 'name',
      title: t('server'),
      sorts: true,
      cell: (server) => <Name server={server} />,
      csv: (server) => decodeStored(server.name),
    },
    { id: 'game', title: t('game'), cell: (server) => server.game_name ?? '–', csv: (server) => server.game_name },
    {
      id: 'owner',
      title: t('owner'),
      cell: (server) => server.owner_name ?? t('nobody'),
      csv: (server) => server.owner_name,
    },
    {
      id: 'state',
      title: t('state'),
      cell: (server) => <ServerStatus server={server} />,
      csv: (server) => server.server_state,
    },
    {
      id: 'monthly_votes',
      title: t('votes'),
      numeric: true,
      cell: (server) => formatNumber(server.monthly_votes ?? 0, language),
      csv: (server) => server.monthly_votes,
    },
    {
      id: 'created_at',
      title: t('added'),
      sorts: true,
      cell: (server) => formatShortDate(server.created_at, language),
      csv: (server) => server.created_at,
    },
    {
      id: 'updated_at',
      title: t('changed'),
      sorts: true,
      cell: (server) => formatShortDate(server.updated_at, language),
      csv: (server) => server.updated_at,
    },
  ]
}

function Name({ server }: { server: ServerRecord }) {
  const language = useLanguage()
  return (
    <span className={styles.server}>
      <Link to={paths.server(language, { slug: server.slug })}>{decodeStored(server.name)}</Link>
      <span className={styles.note}>{server.ip_address}</span>
    </span>
  )
}

/** The state of a server, and its reason. */
function ServerStatus({ server }: { server: ServerRecord }) {
  const { t } = useTranslation('admin-servers')
  const state = stateOf(server.server_state)
  const now = useNow(60_000)
  return (
    <span className={styles.server}>
      <StatusBadge status={LOOKS[state]}>{t(`states.${state}`)}</StatusBadge>
      {isPromoted(server, now) && <Badge tone="gold">Prestige</Badge>}
      {server.moderation_reason && <span className={styles.note}>{server.moderation_reason}</span>}
    </span>
  )
}
