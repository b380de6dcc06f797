import { memo, useState, type CSSProperties } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { Badge, TagChip } from '@/components/ui/badge'
import { classes } from '@/components/ui/classes'
import { Figure } from '@/components/ui/figure'
import { InlineMarks } from '@/components/ui/inline-marks'
import { LiveDot } from '@/components/ui/live-dot'
import { Medal } from '@/components/ui/medal'
import { Picture } from '@/components/ui/picture'
import { ServerLogo } from '@/components/ui/server-logo'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { VoteButton } from '@/components/vote/vote-button'
import type { ServerEvent } from '@/entities/event/queries'
import type { Tag } from '@/entities/tag/queries'
import { formatNumber } from '@/lib/i18n/format'
import { LANGUAGE_NAMES, isLanguage } from '@/lib/i18n/languages'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { parseHex, toHex } from '@/lib/text/colour'
import { decodeStored, oneLine, shorten } from '@/lib/text/stored-text'
import { voteTargetOf, type ListedServer } from '../api/servers'
import { isShownAddress } from '../model/address'
import type { Place } from '../model/place'
import { isGoldTier } from '../model/tier'
import { AddressChip } from './address-chip'
import { CardActions } from './card-actions'
import { CardEvents } from './card-events'
import { Movement } from './movement'
import styles from './server-card.module.css'

interface ServerCardProps extends Place {
  server: ListedServer
  /** Whether the first three have medals. */
  medals: boolean
  /** For the names and colors of tags; the stored names are shown until they are loaded. */
  tags: Tag[] | undefined
  events: ServerEvent[] | undefined
  /** One of the first three, whose cards are larger. */
  winner?: boolean
}

const PREVIEW_LENGTH = 200
const METALS = ['gold', 'silver', 'bronze']

const NO_EVENTS: ServerEvent[] = []

export const ServerCard = memo(function ServerCard(props: ServerCardProps) {
  const { server, place, moved, medals, tags, events = NO_EVENTS, winner = false } = props
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const name = decodeStored(server.name)
  const golden = server.is_prestige && isGoldTier(server.sponsor_tier)
  const banner = server.is_prestige ? server.banner_image_url : null
  // A winner without a banner of its own has its game's backdrop.
  const scene = banner ?? (winner ? server.games?.backdrop_url : null)
  return (
    <article
      className={classes(
        styles.card,
        server.is_prestige && styles.promoted,
        golden && styles.prestige,
        winner && styles.winner,
        scene && styles.withBanner,
      )}
      data-metal={(medals && METALS[place - 1]) || undefined}
      style={server.is_prestige ? ownColour(server.custom_color) : undefined}
    >
      <Picture src={scene} lazy className={styles.banner} />
      <span className={styles.rank}>
        <Medal place={place} plain={!medals} label={t('card.rank', { rank: formatNumber(place, language) })} />
      </span>
      <span className={styles.logo}>
        <ServerLogo src={server.logo_image_url} name={name} size={64} />
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <h3 className={styles.name}>
            <Link to={paths.server(language, server)}>{name}</Link>
          </h3>
          {server.is_prestige && (
            <Link to={paths.howRanking(language)} className={styles.sponsored}>
              <Badge tone={golden ? 'gold' : 'plain'}>{t('card.sponsored')}</Badge>
            </Link>
          )}
        </div>
        <div className={styles.facts}>
          <Players server={server} />
          <Movement moved={moved} />
        </div>
        <div className={styles.events}>
          <CardEvents events={events} />
        </div>
        <Description server={server} />
        <div className={styles.foot}>
          <GameBadge server={server} />
          <LanguageChip language={server.language} />
          <CardTags names={server.tags} tags={tags} />
          {isShownAddress(server.ip_address) && (
            <AddressChip address={decodeStored(server.ip_address.trim())} serverId={server.id} />
          )}
        </div>
      </div>
      <p
        className={styles.votes}
        data-tooltip={t('card.votesHint', { formatted: formatNumber(server.monthly_votes, language) })}
      >
        <span className={styles.figure}>
          <Figure value={formatNumber(server.monthly_votes, language)} />
        </span>{' '}
        <span className={styles.unit}>{t('card.votes', { count: server.monthly_votes })}</span>
      </p>
      <div className={styles.action}>
        <VoteButton target={voteTargetOf(server)} name={name} variant={winner ? 'filled' : 'tinted'} />
        <CardActions server={server} name={name} />
      </div>
    </article>
  )
})

/**
 * The status is shown only for servers that have been checked; the figures are the last known ones.
 */
function Players({ server }: { server: ListedServer }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const state = server.status_checked_at === null ? 'unknown' : server.is_online ? 'online' : 'offline'
  // For some games only the status is known, without player counts.
  const hasFigures = server.max_players > 0
  const players = t('card.players', {
    online: formatNumber(server.online_players, language),
    max: formatNumber(server.max_players, language),
  })
  return (
    <p className={styles.players}>
      {state !== 'unknown' && <LiveDot online={server.is_online} />}
      {state === 'online' && hasFigures ? (
        <VisuallyHidden>{t('card.online')}</VisuallyHidden>
      ) : (
        <span>{t(`card.${state}`)}</span>
      )}
      {hasFigures && <span>{players}</span>}
    </p>
  )
}

/** Regular servers show 200 characters; promoted ones their whole text, up to four lines. */
function Description({ server }: { server: ListedServer }) {
  const text = oneLine(server.description)
  if (text === '') return null
  return (
    <p className={styles.description} lang={server.language ?? undefined}>
      <InlineMarks text={server.is_prestige ? text : shorten(text, PREVIEW_LENGTH)} />
    </p>
  )
}

function GameBadge({ server }: { server: ListedServer }) {
  const language = useLanguage()
  // A game that was just closed is hidden before its servers are.
  if (!server.games) return null
  return (
    <Link to={paths.gameOf(language, server.games)} className={styles.game}>
      <Picture src={server.games.logo_url} width={16} height={16} lazy />
      <span>{server.games.name}</span>
    </Link>
  )
}

/** The language of the server's description, usually the one spoken there. */
function LanguageChip({ language }: { language: string | null }) {
  const { t } = useTranslation('ranking-list')
  if (!isLanguage(language)) return null
  const label = t('card.language', { language: LANGUAGE_NAMES[language] })
  return (
    <span className={styles.language} data-tooltip={label}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <span aria-hidden="true">{language.toUpperCase()}</span>
    </span>
  )
}

/** Two tags, on a narrow screen one, and a button that shows the others. */
function CardTags({ names, tags }: { names: readonly string[]; tags: Tag[] | undefined }) {
  const language = useLanguage()
  const badges = names.map((name) => {
    const tag = tags?.find((candidate) => candidate.name === name)
    return { name, label: tag ? nameIn(tag, language) : name, color: tag?.color }
  })
  const labels = badges.map((tag) => tag.label)
  const [isOpen, setOpen] = useState(false)
  const more = { isOpen, onToggle: () => setOpen(!isOpen) }
  return (
    <>
      {badges.slice(0, isOpen ? undefined : 2).map((tag, index) => (
        <span key={tag.name} className={index > 0 && !isOpen ? styles.wideOnly : styles.tag}>
          <TagChip color={tag.color}>{tag.label}</TagChip>
        </span>
      ))}
      <MoreTags {...more} labels={labels.slice(2)} className={styles.wideOnly} />
      <MoreTags {...more} labels={labels.slice(1)} className={styles.narrowOnly} />
    </>
  )
}

interface MoreTagsProps {
  /** The names of the collapsed tags. */
  labels: string[]
  isOpen: boolean
  onToggle: () => void
  className: string | undefined
}

/** The label contains the names, so that screen readers need not expand it. */
function MoreTags({ labels, isOpen, onToggle, className }: MoreTagsProps) {
  const { t } = useTranslation('ranking-list')
  if (labels.length === 0) return null
  const names = labels.join(', ')
  return (
    <span className={className}>
      <button
        type="button"
        className={styles.more}
        aria-expanded={isOpen}
        data-tooltip={isOpen ? undefined : names}
        onClick={onToggle}
      >
        <VisuallyHidden>{t('card.moreTags', { count: labels.length, names })}</VisuallyHidden>
        <Badge>
          <span aria-hidden="true">{isOpen ? '−' : `+${labels.length}`}</span>
        </Badge>
      </button>
    </span>
  )
}

/** The owner's color only tints the card's background, where no contrast of text depends on it. */
function ownColour(color: string | null): CSSProperties | undefined {
  const parsed = parseHex(color)
  return parsed === null ? undefined : ({ '--own': toHex(parsed) } as CSSProperties)
}
