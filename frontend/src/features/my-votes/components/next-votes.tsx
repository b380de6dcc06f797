import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { Button, ButtonLink } from '@/components/ui/button'
import { Facts, Panel, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Sentence } from '@/components/ui/sentence'
import { ServerLogo } from '@/components/ui/server-logo'
import { StateMessage } from '@/components/ui/state-message'
import { useNow } from '@/components/ui/use-now'
import { VoteButton } from '@/components/vote/vote-button'
import { useFavorites } from '@/entities/server/favorites'
import { startVoteRound } from '@/entities/vote/round'
import { nextVotes } from '@/entities/vote/state'
import { useStore } from '@/lib/browser/store'
import { formatClock, formatNumber } from '@/lib/i18n/format'
import { formatRelative } from '@/lib/i18n/format-relative'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { voteTargetOf, type VotedServer } from '../api/voted-servers'
import { nextVoteOf } from '../model/due'
import styles from './next-votes.module.css'
import { useQueue } from './use-queue'

/** Longer lists show only so many rows at first. */
const FIRST = 8

/** The size of a round; more votes in an hour would be refused. */
const ROUND = 10

/** The servers that can be voted for now, with a button for a round, and those that cannot yet. */
export function NextVotes({ servers }: { servers: UseQueryResult<VotedServer[]> }) {
  const { t } = useTranslation('my-votes')
  return (
    <Panel variant="boxed" title={t('next.title')} intro={t('next.intro')}>
      <QueryStates query={servers} loading={<PanelLoading rows={3} />} failed={t('next.failed')} empty={<Empty />}>
        {(rows) => <VoteQueue servers={rows} />}
      </QueryStates>
    </Panel>
  )
}

function VoteQueue({ servers }: { servers: VotedServer[] }) {
  const { t } = useTranslation('my-votes')
  const [isWhole, setWhole] = useState(false)
  const { ready, waiting } = useQueue(servers)
  const all = [...ready, ...waiting]
  const visibleVotes = isWhole ? all : all.slice(0, FIRST)
  const [soonest] = waiting
  const favorites = useFavorites()
  const round = [...ready.filter(({ id }) => favorites.has(id)), ...ready.filter(({ id }) => !favorites.has(id))].slice(
    0,
    ROUND,
  )
  return (
    <>
      {ready.length > 0 ? (
        <Button
          variant="primary"
          size="large"
          icon="arrow-up"
          className={styles.round}
          onClick={() => startVoteRound(round.map(voteTargetOf))}
        >
          {t('next.round', { count: round.length })}
        </Button>
      ) : (
        soonest && <NextServer server={soonest} />
      )}
      <PanelList label={t('next.title')}>
        {visibleVotes.map((server) => (
          <Row key={server.id} server={server} />
        ))}
      </PanelList>
      {visibleVotes.length < all.length && (
        <Button variant="quiet" icon="chevron-down" onClick={() => setWhole(true)}>
          {t('next.all', { count: all.length })}
        </Button>
      )}
    </>
  )
}

function NextServer({ server }: { server: VotedServer }) {
  const { t } = useTranslation('my-votes')
  const next = nextVoteOf(server, useStore(nextVotes))
  const seconds = Math.max(0, Math.ceil((next - useNow()) / 1000))
  return (
    <p className={styles.soonest}>
      <Sentence
        text={t('next.soonest', { server: decodeStored(server.name), clock: formatClock(seconds) })}
        part={(clock) => (
          <time role="timer" aria-live="off" className={styles.clock} dateTime={`PT${seconds}S`}>
            {clock}
          </time>
        )}
      />
    </p>
  )
}

function Row({ server }: { server: VotedServer }) {
  const { t } = useTranslation('my-votes')
  const language = useLanguage()
  const now = useNow(60_000)
  const name = decodeStored(server.name)
  return (
    <PanelRow
      icon={<ServerLogo src={server.logo_image_url} name={name} size={40} />}
      title={
        <Link to={paths.server(language, server)} className={styles.link}>
          {name}
        </Link>
      }
      details={
        <Facts
          facts={[
            t('next.rank', { rank: formatNumber(server.game_rank, language), game: server.game }),
            t('next.votes', { count: server.monthly_votes, formatted: formatNumber(server.monthly_votes, language) }),
            t('next.last', { when: formatRelative(server.voted_at, language, now), nickname: server.nickname }),
          ]}
        />
      }
      action={<VoteButton target={voteTargetOf(server)} name={name} variant="tinted" size="small" />}
    />
  )
}

function Empty() {
  const { t } = useTranslation('my-votes')
  const language = useLanguage()
  return (
    <StateMessage
      drawing="empty"
      title={t('next.emptyTitle')}
      actions={
        <ButtonLink variant="primary" icon="arrow-up" to={paths.home(language)}>
          {t('next.choose')}
        </ButtonLink>
      }
    >
      {t('next.emptyText')}
    </StateMessage>
  )
}
