import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Button } from '@/components/ui/button'
import { neighboursQuery } from '@/entities/server/neighbours'
import { closeVoteDialog, type VoteTarget } from '@/entities/vote/dialog'
import { lazyComponent } from '@/lib/browser/lazy'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Receipt } from '../api/cast-vote'
import { Confetti } from './confetti'
import { MoreVotes } from './more-votes'
import { NextInRound } from './next-in-round'
import { NextSteps } from './next-steps'
import { NextVote } from './next-vote'
import styles from './outcome.module.css'
import { ServerPlace } from './server-place'
import { VoterPlace } from './voter-place'

const Arrival = lazyComponent(async () => (await import('./arrival')).Arrival)
const RemindMe = lazyComponent(async () => (await import('./remind-me')).RemindMe)

interface VoteReceiptProps {
  target: VoteTarget
  receipt: Receipt
  nickname: string
  name: string
  /** The month's votes that the voter saw before. */
  before: number
  /** When the next vote is possible, in milliseconds. */
  until: number
  /** The next server of the round. */
  next: VoteTarget | null
}

/** The receipt: a small animation, the new count and place, and actions until the next vote. */
export function VoteReceipt({ target, receipt, nickname, name, before, until, next }: VoteReceiptProps) {
  const { t } = useTranslation('vote')
  // Neighbors that were cached before the vote are outdated.
  const { data: neighbours, isFetching, isError } = useQuery({ ...neighboursQuery(target.id), staleTime: 0 })
  const settled = isError ? null : isFetching ? undefined : neighbours
  return (
    <div className={styles.outcome}>
      <Confetti />
      <div role="status" className={styles.words} tabIndex={-1} ref={next ? undefined : focusOnce}>
        <h3>{t('done.title')}</h3>
        <p>{t('done.thanks', { nickname, server: name })}</p>
        <Figure before={before} after={receipt.monthlyVotes} />
        <ServerPlace neighbours={settled} name={name} game={target.game} />
        <VoterPlace />
      </div>
      <Suspense fallback={null}>
        <Arrival voteId={receipt.voteId} />
      </Suspense>
      {next ? <NextInRound next={next} /> : <NextVote until={until} />}
      {!next && (
        <Suspense fallback={null}>
          <RemindMe serverId={target.id} />
        </Suspense>
      )}
      {!next && neighbours && (
        <>
          <NextSteps self={neighbours.self} name={name} />
          <MoreVotes servers={neighbours.similar} target={target} />
        </>
      )}
      <Button variant="quiet" wide onClick={closeVoteDialog}>
        {t('done.close')}
      </Button>
    </div>
  )
}

function focusOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

function Figure({ before, after }: { before: number; after: number }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  return (
    <p className={styles.figure}>
      <span className={styles.rolling}>
        {before !== after && (
          <span className={styles.before} aria-hidden="true">
            {formatNumber(before, language)}
          </span>
        )}
        <strong className={styles.after}>{formatNumber(after, language)}</strong>
      </span>{' '}
      {t('done.votes', { count: after })}
    </p>
  )
}
