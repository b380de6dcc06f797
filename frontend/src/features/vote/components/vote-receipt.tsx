import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { formatNumber } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { closeVoteDialog } from '@/lib/vote-dialog'
import type { Receipt } from '../api/cast-vote'
import { Celebration } from './celebration'
import { NextVote } from './next-vote'
import styles from './outcome.module.css'

interface VoteReceiptProps {
  receipt: Receipt
  nickname: string
  name: string
  /** The figure the voter saw before. */
  before: number
  /** Until the next vote. */
  seconds: number
}

/** A small celebration, the new figure, and the wait for the next vote. */
export function VoteReceipt({ receipt, nickname, name, before, seconds }: VoteReceiptProps) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  return (
    <div className={styles.outcome}>
      <Celebration />
      <div role="status" className={styles.words} tabIndex={-1} ref={(element) => element?.focus()}>
        <h3>{t('done.title')}</h3>
        <p>{t('done.thanks', { nickname, server: name })}</p>
        <p className={styles.figure}>
          <span className={styles.rolling}>
            {before !== receipt.monthlyVotes && (
              <span className={styles.before} aria-hidden="true">
                {formatNumber(before, language)}
              </span>
            )}
            <strong className={styles.after}>{formatNumber(receipt.monthlyVotes, language)}</strong>
          </span>{' '}
          {t('done.votes', { count: receipt.monthlyVotes })}
        </p>
      </div>
      <NextVote label={t('done.next')} seconds={seconds} />
      <Button look="primary" size="large" wide onClick={closeVoteDialog}>
        {t('done.close')}
      </Button>
    </div>
  )
}
