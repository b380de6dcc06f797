/** The votes of one server on a few days, with actions to void them or to ban their addresses. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { DayFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState, type TableHandle } from '@/components/table/use-table-state'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { PanelEmpty } from '@/components/ui/panel'
import { formatDate, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import type { Language } from '@/lib/i18n/languages'
import { siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import type { VoidedVotes } from './api/void-votes'
import { votesTableQuery, type VoteRecord } from './api/votes'
import { AddressDialog, VoidDialog } from './components/vote-dialogs'
import { MOST_RANGE, rangeOf, type Range } from './model/votes'
import styles from './admin-votes.module.css'

const SPEC = {
  sorts: ['voted_at'],
  sort: '-voted_at',
  filters: { server: 'text', nickname: 'text', from: 'text', to: 'text' },
} as const

type Handle = TableHandle<keyof typeof SPEC.filters>

const momentOf = (moment: string, language: Language): string =>
  `${formatDate(moment, language)}, ${formatTime(moment, language)}`

export function VotesPage() {
  const { t } = useTranslation(['admin-votes', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const { server, from, to } = table.state.filters
  const range = rangeOf(from, to, siteToday())
  return (
    <div className={styles.page}>
      <PageHeader title={t('pages:adminVotes')} description={t('leads:adminVotes')} />
      {server === '' ? (
        <>
          <div role="search">
            <TextFilter table={table} name="server" label={t('admin-votes:server')} />
          </div>
          <PanelEmpty framed>{t('admin-votes:chooseServer')}</PanelEmpty>
        </>
      ) : (
        <Votes table={table} range={range} />
      )}
    </div>
  )
}

function Votes({ table, range }: { table: Handle; range: Range }) {
  const { t } = useTranslation('admin-votes')
  const language = useLanguage()
  const votes = useQuery(votesTableQuery(table.state, range))
  const columns = useColumns()
  const [voided, setVoided] = useState<{ votes: VoidedVotes; clear: () => void } | null>(null)
  const [banned, setBanned] = useState<VoteRecord | null>(null)
  const ask = (voidable: VoidedVotes, clear: () => void = () => undefined) => setVoided({ votes: voidable, clear })
  return (
    <>
      <p className={styles.note}>
        {t('range', {
          first: formatDate(range.from, language),
          last: formatDate(new Date(Date.parse(range.until) - 1).toISOString(), language),
          count: MOST_RANGE,
        })}
      </p>
      <DataTable
        label={t('label')}
        columns={columns}
        table={table}
        query={votes}
        rowId={(vote) => vote.id}
        rowName={(vote) => `${vote.nickname ?? '–'}, ${momentOf(vote.voted_at, language)}`}
        actions={(vote) => [
          { label: t('act.void'), tone: 'danger', onSelect: () => ask({ kind: 'chosen', votes: [vote] }) },
          { label: t('act.voidAddress'), tone: 'danger', onSelect: () => ask({ kind: 'address', vote, range }) },
          { label: t('act.voidNetwork'), tone: 'danger', onSelect: () => ask({ kind: 'network', vote, range }) },
          { label: t('act.ban'), tone: 'danger', onSelect: () => setBanned(vote) },
        ]}
        bulk={(rows, clear) => (
          <Button size="small" variant="danger" onClick={() => ask({ kind: 'chosen', votes: rows }, clear)}>
            {t('act.voidChosen')}
          </Button>
        )}
        filters={
          <>
            <TextFilter table={table} name="server" label={t('server')} />
            <TextFilter table={table} name="nickname" label={t('nickname')} />
            <DayFilter table={table} name="from" label={t('from')} />
            <DayFilter table={table} name="to" label={t('to')} />
          </>
        }
        empty={t('empty')}
        failed={t('failed')}
      />
      {voided !== null && (
        <VoidDialog
          votes={voided.votes}
          onClose={() => setVoided(null)}
          onDone={() => {
            voided.clear()
            setVoided(null)
          }}
        />
      )}
      {banned !== null && <AddressDialog vote={banned} onClose={() => setBanned(null)} />}
    </>
  )
}

function useColumns(): Column<VoteRecord>[] {
  const { t } = useTranslation('admin-votes')
  const language = useLanguage()
  return [
    { id: 'nickname', title: t('nickname'), cell: (vote) => vote.nickname ?? '–' },
    {
      id: 'account',
      title: t('account'),
      cell: (vote) => vote.profiles?.username ?? (vote.was_signed_in ? t('gone') : t('guest')),
    },
    { id: 'voted_at', title: t('when'), sorts: true, cell: (vote) => momentOf(vote.voted_at, language) },
  ]
}
