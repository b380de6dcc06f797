/** The proposals of tags, to be accepted or refused. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge, TagChip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { proposalsQuery, type ProposalRecord } from './api/proposals'
import { AcceptProposal } from './components/accept-proposal'
import { RefuseProposal } from './components/refuse-proposal'
import styles from './admin-catalogue.module.css'

const SPEC = {
  sorts: ['created_at', 'name'],
  sort: 'created_at',
  filters: { name: 'text', status: ['approved', 'rejected', 'all'] },
} as const

type ProposalAction = { action: 'accept' | 'refuse'; proposal: ProposalRecord } | null
type DecisionHandler = (action: 'accept' | 'refuse', proposal: ProposalRecord) => void

export function ProposalsPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const proposals = useQuery(proposalsQuery(table.state))
  const [doing, setDoing] = useState<ProposalAction>(null)
  const columns = useColumns((action, proposal) => setDoing({ action, proposal }))
  const close = () => setDoing(null)
  return (
    <>
      <PageHeader title={t('pages:adminTagProposals')} description={t('leads:adminTagProposals')} />
      <DataTable
        label={t('pages:adminTagProposals')}
        columns={columns}
        table={table}
        query={proposals}
        rowId={(proposal) => proposal.id}
        rowName={(proposal) => proposal.name}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('search')} />
            <ChoiceFilter
              table={table}
              name="status"
              label={t('proposals.state')}
              all={t('proposals.states.pending')}
              choices={(['approved', 'rejected', 'all'] as const).map((value) => ({
                value,
                label: t(`proposals.states.${value}`),
              }))}
            />
          </>
        }
        empty={t('proposals.empty')}
        failed={t('proposals.failed')}
      />
      {doing?.action === 'accept' && <AcceptProposal proposal={doing.proposal} onClose={close} />}
      {doing?.action === 'refuse' && <RefuseProposal proposal={doing.proposal} onClose={close} />}
    </>
  )
}

function useColumns(decide: DecisionHandler): Column<ProposalRecord>[] {
  const { t } = useTranslation('admin-catalogue')
  const language = useLanguage()
  return [
    {
      id: 'name',
      title: t('tags.tag'),
      sorts: true,
      cell: (proposal) => <TagChip color={proposal.color}>{proposal.name}</TagChip>,
    },
    { id: 'description', title: t('tags.description'), cell: (proposal) => proposal.description ?? '–' },
    { id: 'proposer', title: t('proposals.by'), cell: (proposal) => proposal.proposer?.username ?? '–' },
    {
      id: 'created_at',
      title: t('proposals.on'),
      sorts: true,
      cell: (proposal) => formatShortDate(proposal.created_at, language),
    },
    {
      id: 'decision',
      title: t('proposals.decision'),
      cell: (proposal) => <Decision proposal={proposal} decide={decide} />,
    },
  ]
}

const LOOKS = { approved: 'good', rejected: 'bad' } as const

/**
 * The two buttons while the proposal is pending; afterwards the decision, its author, and the
 * reason.
 */
function Decision({ proposal, decide }: { proposal: ProposalRecord; decide: DecisionHandler }) {
  const { t } = useTranslation('admin-catalogue')
  const { status, name } = proposal
  if (status === 'approved' || status === 'rejected') {
    return (
      <div className={styles.decision}>
        <StatusBadge status={LOOKS[status]}>{t(`proposals.states.${status}`)}</StatusBadge>
        <span>{[proposal.reviewer?.username, proposal.admin_notes].filter(Boolean).join(' – ')}</span>
      </div>
    )
  }
  return (
    <div className={styles.decision}>
      <Button
        size="small"
        variant="primary"
        aria-label={t('proposals.acceptOf', { name })}
        onClick={() => decide('accept', proposal)}
      >
        {t('proposals.accept')}
      </Button>
      <Button size="small" aria-label={t('proposals.refuseOf', { name })} onClick={() => decide('refuse', proposal)}>
        {t('proposals.refuse')}
      </Button>
    </div>
  )
}
