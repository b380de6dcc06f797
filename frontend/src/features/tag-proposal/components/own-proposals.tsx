import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { StatusBadge, TagChip } from '@/components/ui/badge'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { ownProposalsQuery, type OwnProposal } from '../api/own-proposals'
import styles from './own-proposals.module.css'

const STATES = { pending: 'waiting', approved: 'good', rejected: 'bad' } as const

/**
 * The person's earlier proposals with their outcomes and reasons. Renders nothing if there are
 * none.
 */
export function OwnProposals({ userId }: { userId: string }) {
  const { t } = useTranslation('tag-proposal')
  const proposals = useQuery(ownProposalsQuery(userId))
  return (
    <QueryStates query={proposals} loading={null} failed={t('own.unreadable')}>
      {(found) =>
        found.length > 0 && (
          <section aria-labelledby="own-proposals" className={styles.own}>
            <h3 id="own-proposals" className={styles.title}>
              {t('own.title')}
            </h3>
            <ul className={styles.list}>
              {found.map((proposal) => (
                <Row key={proposal.id} proposal={proposal} />
              ))}
            </ul>
          </section>
        )
      }
    </QueryStates>
  )
}

function Row({ proposal }: { proposal: OwnProposal }) {
  const { t } = useTranslation('tag-proposal')
  const language = useLanguage()
  const state = proposal.status === 'approved' || proposal.status === 'rejected' ? proposal.status : 'pending'
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <TagChip color={proposal.color}>{proposal.name}</TagChip>
        <StatusBadge status={STATES[state]}>{t(`own.${state}`)}</StatusBadge>
        <span className={styles.date}>{formatDate(proposal.reviewed_at ?? proposal.created_at, language)}</span>
      </div>
      {proposal.admin_notes && <p className={styles.note}>{t('own.note', { note: proposal.admin_notes })}</p>}
    </li>
  )
}
