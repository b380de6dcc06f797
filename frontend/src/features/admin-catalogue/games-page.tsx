/** The games servers can be of. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { Picture } from '@/components/ui/picture'
import { useTranslation } from '@/lib/i18n/i18n'
import { deleteGameMutation } from './api/delete-game'
import { gamesTableQuery, wholeGames, type KeptGame } from './api/games'
import { orderGamesMutation } from './api/order-game'
import { GameDialog } from './components/game-dialog'
import { moved } from './model/game'
import styles from './admin-catalogue.module.css'

const STATES = ['open', 'closed'] as const
const SPEC = {
  sorts: ['sort_order', 'name', 'default_port'],
  sort: 'sort_order',
  filters: { name: 'text', state: STATES },
  sizes: [50, 100],
} as const

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; game: KeptGame } | null

export function GamesPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const games = useQuery(gamesTableQuery(table.state))
  const columns = useColumns()
  const [doing, setDoing] = useState<Doing>(null)
  const close = () => setDoing(null)
  // A place means something only among all of them, in their order.
  const inOrder = table.state.sort.column === 'sort_order' && !table.state.sort.descending && !table.isFiltered
  const moves = useMoves(inOrder ? (games.data?.rows ?? []) : [])
  return (
    <>
      <PageHeader
        title={t('pages:adminGames')}
        lead={t('leads:adminGames')}
        actions={
          <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'add' })}>
            {t('games.add')}
          </Button>
        }
      />
      <DataTable
        label={t('pages:adminGames')}
        columns={columns}
        table={table}
        query={games}
        rowId={(game) => game.id}
        rowName={(game) => game.name}
        actions={(game) => [
          { label: t('change'), icon: 'edit', onSelect: () => setDoing({ what: 'edit', game }) },
          ...moves(game),
          { label: t('delete'), icon: 'trash', tone: 'danger', onSelect: () => setDoing({ what: 'delete', game }) },
        ]}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('search')} />
            <ChoiceFilter
              table={table}
              name="state"
              label={t('state')}
              all={t('games.states.all')}
              choices={STATES.map((value) => ({ value, label: t(`games.states.${value}`) }))}
            />
          </>
        }
        empty={t('games.empty')}
        failed={t('games.failed')}
        file={{ name: 'games', rows: () => wholeGames(table.state) }}
      />
      {doing?.what === 'add' && <GameDialog game={null} onClose={close} />}
      {doing?.what === 'edit' && <GameDialog game={doing.game} onClose={close} />}
      {doing?.what === 'delete' && <DeleteGame game={doing.game} onClose={close} />}
    </>
  )
}

function useMoves(games: readonly KeptGame[]): (game: KeptGame) => RowAction[] {
  const { t } = useTranslation('admin-catalogue')
  const order = useMutation(orderGamesMutation())
  return ({ id }) => {
    const move = (by: -1 | 1, label: string, icon: 'arrow-up' | 'arrow-down'): RowAction => {
      const places = moved(games, id, by)
      return { label, icon, disabled: places.length === 0 || order.isPending, onSelect: () => order.mutate(places) }
    }
    return games.length === 0 ? [] : [move(-1, t('games.up'), 'arrow-up'), move(1, t('games.down'), 'arrow-down')]
  }
}

function DeleteGame({ game, onClose }: { game: KeptGame; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const drop = useMutation(deleteGameMutation())
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('games.deleteTitle', { name: game.name })}
      text={t('games.deleteText')}
      confirm={t('delete')}
      onConfirm={() => drop.mutateAsync(game.id)}
    />
  )
}

function useColumns(): Column<KeptGame>[] {
  const { t } = useTranslation('admin-catalogue')
  return [
    {
      id: 'sort_order',
      title: t('games.order'),
      sorts: true,
      numeric: true,
      cell: (game) => game.sort_order,
      csv: (game) => game.sort_order,
    },
    {
      id: 'name',
      title: t('games.game'),
      sorts: true,
      cell: (game) => (
        <span className={styles.named}>
          <Picture src={game.logo_url} width={32} height={32} className={styles.logo} />
          {game.name}
        </span>
      ),
      csv: (game) => game.name,
    },
    { id: 'slug', title: t('games.slug'), cell: (game) => <code>{game.slug}</code>, csv: (game) => game.slug },
    {
      id: 'status_protocol',
      title: t('games.protocol'),
      cell: (game) => game.status_protocol,
      csv: (game) => game.status_protocol,
    },
    {
      id: 'default_port',
      title: t('games.port'),
      sorts: true,
      numeric: true,
      cell: (game) => game.default_port ?? '–',
      csv: (game) => game.default_port,
    },
    {
      id: 'is_active',
      title: t('state'),
      cell: (game) => (
        <StatusBadge status={game.is_active ? 'good' : 'off'}>
          {t(game.is_active ? 'games.states.open' : 'games.states.closed')}
        </StatusBadge>
      ),
      csv: (game) => game.is_active,
    },
  ]
}
