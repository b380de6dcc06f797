/** Competitive events: create, change, finalize. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '@/components/ui/link'
import type { Column } from '@/components/table/columns'
import { DeleteDialog, EntityPage } from '@/components/table/entity-page'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { useNow } from '@/components/ui/use-now'
import { gameNamesQuery } from '@/entities/game/names'
import { lazyComponent } from '@/lib/browser/lazy'
import { formatNumber, formatUnit } from '@/lib/i18n/format'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import styles from './admin-contests.module.css'
import { contestsQuery, removeContestMutation, fetchAllContests, type Contest } from './api/contests'
import { STATES, stateOf, type ContestState } from './model/contest'

const ContestDialog = lazyComponent(async () => (await import('./components/contest-dialog')).ContestDialog)
const FinaliseDialog = lazyComponent(async () => (await import('./components/finalise-dialog')).FinaliseDialog)

const SPEC = {
  sorts: ['name', 'start_date', 'end_date', 'target_votes'],
  sort: '-start_date',
  filters: { q: 'text', state: [...STATES, 'hidden'] },
} as const

const LOOKS = {
  upcoming: 'off',
  live: 'good',
  due: 'waiting',
  ended: 'off',
} as const satisfies Record<ContestState, 'good' | 'waiting' | 'off'>

export function ContestsPage() {
  const { t } = useTranslation(['admin-contests', 'leads', 'pages'])
  const language = useLanguage()
  const navigate = useNavigate()
  const table = useTableState(SPEC)
  const contests = useQuery(contestsQuery(table.state))
  const remove = useMutation(removeContestMutation())
  const now = useNow(30_000)
  const [finalised, setFinalised] = useState<Contest | null>(null)

  function actionsOf(contest: Contest): RowAction[] {
    const finalise: RowAction = {
      label: t('admin-contests:finalise.open'),
      icon: 'trophy',
      onSelect: () => setFinalised(contest),
    }
    return [
      ...(stateOf(contest, now) === 'due' ? [finalise] : []),
      {
        label: t('admin-contests:open'),
        icon: 'eye',
        disabled: !contest.is_active,
        onSelect: () => void navigate(paths.competitiveEvent(language, { eventId: contest.id })),
      },
    ]
  }

  return (
    <div className={styles.page}>
      <EntityPage
        title={t('pages:adminCompetitiveEvents')}
        description={t('leads:adminCompetitiveEvents')}
        add={t('admin-contests:add')}
        dialog={(contest, close) => <ContestDialog contest={contest} onClose={close} />}
        canEdit={(contest) => !contest.is_finished}
        deletion={(contest, close) => (
          <DeleteDialog
            title={t('admin-contests:remove.title', { name: contest.name })}
            text={t('admin-contests:remove.text')}
            onDelete={() => remove.mutateAsync(contest.id)}
            onClose={close}
          />
        )}
        actions={actionsOf}
        columns={useColumns(now)}
        table={table}
        query={contests}
        rowId={(contest) => contest.id}
        rowName={(contest) => contest.name}
        filters={
          <>
            <TextFilter table={table} name="q" label={t('admin-contests:search')} />
            <ChoiceFilter
              table={table}
              name="state"
              label={t('admin-contests:column.state')}
              all={t('admin-contests:all')}
              choices={[...STATES, 'hidden' as const].map((state) => ({
                value: state,
                label: t(`admin-contests:state.${state}`),
              }))}
            />
          </>
        }
        empty={t('admin-contests:empty')}
        failed={t('admin-contests:failed')}
        file={{ name: 'contests', rows: () => fetchAllContests(table.state) }}
      />
      <Suspense>{finalised && <FinaliseDialog contest={finalised} onClose={() => setFinalised(null)} />}</Suspense>
    </div>
  )
}

function useColumns(now: number): Column<Contest>[] {
  const { t } = useTranslation('admin-contests')
  const language = useLanguage()
  const games = useQuery(gameNamesQuery()).data
  return useMemo(() => {
    const namesOf = ({ game_ids: ids }: Contest): string =>
      ids.length === 0 ? t('allGames') : ids.map((id) => games?.find((game) => game.id === id)?.name ?? '…').join(', ')
    return [
      {
        id: 'name',
        title: t('column.name'),
        sorts: true,
        cell: (contest) =>
          contest.is_active ? (
            <Link to={paths.competitiveEvent(language, { eventId: contest.id })} className={styles.link}>
              {contest.name}
            </Link>
          ) : (
            contest.name
          ),
        csv: (contest) => contest.name,
      },
      {
        id: 'state',
        title: t('column.state'),
        cell: (contest) => {
          const state = stateOf(contest, now)
          return (
            <StatusBadge status={contest.is_active ? LOOKS[state] : 'off'}>
              {t(contest.is_active ? `state.${state}` : 'state.hidden')}
            </StatusBadge>
          )
        },
        csv: (contest) => (contest.is_active ? stateOf(contest, now) : 'hidden'),
      },
      {
        id: 'start_date',
        title: t('column.start'),
        sorts: true,
        cell: (contest) => formatShortDate(contest.start_date, language),
        csv: (contest) => contest.start_date,
      },
      {
        id: 'end_date',
        title: t('column.end'),
        sorts: true,
        cell: (contest) => formatShortDate(contest.end_date, language),
        csv: (contest) => contest.end_date,
      },
      { id: 'games', title: t('column.games'), cell: namesOf, csv: namesOf },
      {
        id: 'target_votes',
        title: t('column.target'),
        sorts: true,
        numeric: true,
        cell: (contest) =>
          contest.total_votes === null
            ? formatNumber(contest.target_votes, language)
            : t('column.of', {
                votes: formatNumber(contest.total_votes, language),
                target: formatNumber(contest.target_votes, language),
              }),
        csv: (contest) => contest.target_votes,
      },
      {
        id: 'prize',
        title: t('column.prize'),
        cell: (contest) =>
          t('column.prizeOf', {
            count: contest.winner_count,
            days: formatUnit(contest.prestige_days, 'day', language),
          }),
        csv: (contest) => `${contest.winner_count} x ${contest.prestige_days}`,
      },
    ] satisfies Column<Contest>[]
  }, [t, language, games, now])
}
