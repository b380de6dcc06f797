/** The games that servers can have. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/table/columns'
import { DeleteDialog, EntityPage } from '@/components/table/entity-page'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { Picture } from '@/components/ui/picture'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './admin-catalogue.module.css'
import { deleteGameMutation } from './api/delete-game'
import { gamesTableQuery, fetchAllGames, type GameRecord } from './api/games'
import { orderGamesMutation } from './api/order-game'
import { GameDialog } from './components/game-dialog'
import { moved } from './model/game'

const STATES = ['open', 'closed'] as const
const SPEC = {
  sorts: ['sort_order', 'name', 'default_port'],
  sort: 'sort_order',
  filters: { name: 'text', state: STATES },
  sizes: [50, 100],
} as const

export function GamesPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const games = useQuery(gamesTableQuery(table.state))
  // Games can be moved only while the table shows all of them in their order.
  const inOrder = table.state.sort.column === 'sort_order' && !table.state.sort.descending && !table.isFiltered
  return (
    <EntityPage
      title={t('pages:adminGames')}
      description={t('leads:adminGames')}
      add={t('games.add')}
      dialog={(game, close) => <GameDialog game={game} onClose={close} />}
      deletion={(game, close) => <DeleteGame game={game} onClose={close} />}
      actions={useMoves(inOrder ? (games.data?.rows ?? []) : [])}
      columns={useColumns()}
      table={table}
      query={games}
      rowId={(game) => game.id}
      rowName={(game) => game.name}
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
      file={{ name: 'games', rows: () => fetchAllGames(table.state) }}
    />
  )
}

function useMoves(games: readonly GameRecord[]): (game: GameRecord) => RowAction[] {
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

function DeleteGame({ game, onClose }: { game: GameRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const drop = useMutation(deleteGameMutation())
  return (
    <DeleteDialog
      title={t('games.deleteTitle', { name: game.name })}
      text={t('games.deleteText')}
      onDelete={() => drop.mutateAsync(game.id)}
      onClose={onClose}
    />
  )
}

function useColumns(): Column<GameRecord>[] {
  const { t } = useTranslation('admin-catalogue')
  return [
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
    {
      id: 'sort_order',
      title: t('games.order'),
      sorts: true,
      numeric: true,
      cell: (game) => game.sort_order,
      csv: (game) => game.sort_order,
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
