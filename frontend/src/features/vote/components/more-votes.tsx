import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { ServerLogo } from '@/components/ui/server-logo'
import { VoteButton } from '@/components/vote/vote-button'
import { formatNumber } from '@/lib/i18n/format'
import type { Neighbour } from '@/entities/server/neighbours'
import { useStore } from '@/lib/browser/store'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { VoteTarget } from '@/entities/vote/dialog'
import { isVoteDue } from '@/entities/vote/state'
import { votedServers, votedServersQuery } from '@/entities/vote/voted-servers'
import styles from './more-votes.module.css'

const SHOWN = 3

/**
 * Other servers that can be voted for now, in the same dialog: those that this browser has voted
 * for, then some of the same game.
 */
export function MoreVotes({ servers, target }: { servers: readonly Neighbour[]; target: VoteTarget }) {
  const { t } = useTranslation('vote')
  const voted = useStore(votedServers)
  const ids = useMemo(() => voted.filter((id) => id !== target.id), [voted, target.id])
  const { data: known = [] } = useQuery(votedServersQuery(ids))
  const again = ids.flatMap((id) => known.find((server) => server.id === id) ?? [])
  const otherServers = servers.filter(({ id }) => !ids.includes(id)).map((server) => targetOf(server, target))
  const due = [...again, ...otherServers].filter(({ id }) => isVoteDue(id)).slice(0, SHOWN)
  if (due.length === 0) return null
  return (
    <section className={styles.more} aria-label={t('more.title')}>
      <h4 className={styles.title}>{t('more.title')}</h4>
      <ul className={styles.list}>
        {due.map((server) => (
          <li key={server.id}>
            <Row server={server} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The servers have the same game, and so the same rule for nicknames. */
function targetOf(server: Neighbour, target: VoteTarget): VoteTarget {
  return {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    game: target.game ?? null,
    nicknamePattern: target.nicknamePattern ?? null,
  }
}

function Row({ server }: { server: VoteTarget }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const name = decodeStored(server.name)
  return (
    <div className={styles.row}>
      <ServerLogo src={server.logoUrl} name={name} size={36} />
      <p className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.votes}>
          {t('more.votes', { count: server.monthlyVotes, formatted: formatNumber(server.monthlyVotes, language) })}
        </span>
      </p>
      <div>
        <VoteButton target={server} name={name} variant="tinted" size="small" />
      </div>
    </div>
  )
}
