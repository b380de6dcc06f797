import { useTranslation } from '@/lib/i18n'
import { ServerLogo } from '@/components/ui/server-logo'
import { VoteButton } from '@/components/vote/vote-button'
import { formatNumber } from '@/lib/format'
import type { Neighbour } from '@/lib/server-neighbours'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import type { VoteTarget } from '@/lib/vote-dialog'
import { isVoteDue } from '@/lib/vote-state'
import styles from './more-votes.module.css'

const SHOWN = 2

/** Others of the same game that can be voted for now, in the same dialog. */
export function MoreVotes({ servers, target }: { servers: readonly Neighbour[]; target: VoteTarget }) {
  const { t } = useTranslation('vote')
  const due = servers.filter((server) => isVoteDue(server.id)).slice(0, SHOWN)
  if (due.length === 0) return null
  return (
    <section className={styles.more} aria-label={t('more.title')}>
      <h4 className={styles.title}>{t('more.title')}</h4>
      <ul className={styles.list}>
        {due.map((server) => (
          <li key={server.id}>
            <Row server={server} target={target} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ server, target }: { server: Neighbour; target: VoteTarget }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const name = decodeStored(server.name)
  const next: VoteTarget = {
    id: server.id,
    name: server.name,
    logoUrl: server.logo_image_url,
    monthlyVotes: server.monthly_votes,
    nicknamePattern: target.nicknamePattern ?? null,
  }
  return (
    <div className={styles.row}>
      <ServerLogo src={server.logo_image_url} name={name} size={36} />
      <p className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.votes}>
          {t('more.votes', { count: server.monthly_votes, formatted: formatNumber(server.monthly_votes, language) })}
        </span>
      </p>
      <div>
        <VoteButton target={next} name={name} look="tinted" size="small" />
      </div>
    </div>
  )
}
