import type { UseQueryResult } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Button, ButtonLink } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { openAuthDialog } from '@/lib/session/auth-dialog'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import type { OwnPlace, Period } from '@/entities/vote/own-place'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './your-place.module.css'

interface YourPlaceProps {
  period: Period
  place: UseQueryResult<OwnPlace | null>
}

/** The reader's place, the votes to the next place, and a button to vote. */
export function YourPlace({ period, place }: YourPlaceProps) {
  const { t } = useTranslation('leaderboard')
  const { status } = useSession()
  return (
    <Panel variant="boxed" title={t('own.title')}>
      {status === 'out' && <Invitation />}
      {status === 'loading' && <Loading />}
      {status === 'in' && (
        <QueryStates
          query={place}
          loading={<Loading />}
          failed={t('own.failed')}
          empty={<NoPlace text={t(`own.none.${period}`)} />}
        >
          {(known) => <Place place={known} period={period} />}
        </QueryStates>
      )}
    </Panel>
  )
}

function Place({ place, period }: { place: OwnPlace; period: Period }) {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  const { rank, votes_count: votes, next_name: next, next_votes: nextVotes } = place
  const gap = nextVotes === null ? 0 : nextVotes - votes + 1
  return (
    <>
      <p className={styles.place}>
        <strong className={styles.rank} data-first={rank === 1 || undefined}>
          {rank === null ? t('own.far') : t('own.rank', { rank: formatNumber(rank, language) })}
        </strong>
        <span>{t(`own.votes.${period}`, { count: votes, formatted: formatNumber(votes, language) })}</span>
      </p>
      <p className={styles.next}>
        {next === null
          ? t('own.first')
          : t('own.gap', { count: gap, formatted: formatNumber(gap, language), name: next })}
      </p>
      <ButtonLink variant="primary" icon="arrow-up" wide to={paths.myVotes(language)}>
        {t('own.vote')}
      </ButtonLink>
    </>
  )
}

function NoPlace({ text }: { text: string }) {
  const { t } = useTranslation('leaderboard')
  const language = useLanguage()
  return (
    <>
      <p className={styles.next}>{text}</p>
      <ButtonLink variant="primary" icon="arrow-up" wide to={paths.home(language)}>
        {t('own.choose')}
      </ButtonLink>
    </>
  )
}

/**
 * Invites guests to create an account: their votes are counted by a nickname that anybody may type.
 */
function Invitation() {
  const { t } = useTranslation('leaderboard')
  return (
    <>
      <p className={styles.next}>{t('own.guest')}</p>
      <div className={styles.buttons}>
        <Button onClick={() => openAuthDialog('signUp')}>{t('own.join')}</Button>
        <Button variant="quiet" onClick={() => openAuthDialog('signIn')}>
          {t('own.enter')}
        </Button>
      </div>
    </>
  )
}

function Loading() {
  return (
    <>
      <Skeleton width="9rem" height="2.25rem" />
      <Skeleton width="100%" height="1rem" />
      <Skeleton width="100%" height="var(--control-md)" radius="var(--radius-md)" />
    </>
  )
}
