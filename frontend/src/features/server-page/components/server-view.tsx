import { Suspense, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { CrashBoundary, SectionBoundary, Sections } from '@/components/ui/crash-boundary'
import { Near } from '@/components/ui/near'
import { Skeleton } from '@/components/ui/skeleton'
import { accentOf } from '@/entities/server/accent'
import { openVoteDialog } from '@/entities/vote/dialog'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { cardOf } from '@/lib/routing/social-card'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useHeadTexts } from '@/lib/routing/use-head-texts'
import { useSession } from '@/lib/session/session'
import { decodeStored, plainText, shorten } from '@/lib/text/stored-text'
import { recordClick } from '../api/record-click'
import type { ServerDetail } from '../api/server'
import { useInView } from '../model/use-in-view'
import { voteTargetOf } from '../model/vote-target'
import { About } from './about'
import { BackLink } from './back-link'
import { Backdrop } from './backdrop'
import { ConnectCard } from './connect-card'
import { Events } from './events'
import { Identity } from './identity'
import { Months } from './months'
import { Reviews } from './reviews'
import styles from './server-view.module.css'
import { Share } from './share'
import { Similar } from './similar'
import { Stats } from './stats'
import { Tags } from './tags'
import { Video } from './video'
import { VoteBar } from './vote-bar'
import { VoteCard } from './vote-card'
import { VoteHistory } from './vote-history'

/** Loaded for owners only. */
const HiddenNotice = lazyComponent(async () => (await import('./hidden-notice')).HiddenNotice)
const OwnerBar = lazyComponent(async () => (await import('./owner-bar')).OwnerBar)
const AvailabilityAndOutcomes = lazyComponent(
  async () => (await import('./availability-and-outcomes')).AvailabilityAndOutcomes,
)
const Placings = lazyComponent(async () => (await import('./placings')).Placings)

/** The failure of an optional section renders nothing. */
const nothing = () => null

/** How many characters of the description are in the page's head. */
const HEAD_LENGTH = 120

export function ServerView({ server }: { server: ServerDetail }) {
  const t = useHeadTexts()
  const { user } = useSession()
  const name = decodeStored(server.name)
  const isPublic = server.hidden === null
  const language = useLanguage()
  useDocumentHead(
    t && {
      title: t('server.title', { name, game: server.games.name }),
      description: shorten(plainText(server.description), HEAD_LENGTH),
      canonical: paths.server(language, server),
      card: isPublic ? cardOf(language, 'server', server.slug) : undefined,
    },
  )
  useVoteRequest(server)
  useEffect(() => {
    if (isPublic) recordClick(server.id).catch(() => {})
  }, [server.id, isPublic])
  const card = useRef<HTMLDivElement>(null)
  const cardInSight = useInView(card)

  return (
    <article className={styles.page} style={server.is_prestige ? accentOf(server.custom_color) : undefined}>
      <BackLink server={server} />
      {!isPublic && (
        <Suspense>
          <HiddenNotice server={server} />
        </Suspense>
      )}
      <SectionBoundary>
        {isPublic && user !== null && user.id === server.owner_id && (
          <Suspense fallback={<Skeleton height="5.5rem" radius="var(--radius-lg)" />}>
            <OwnerBar server={server} />
          </Suspense>
        )}
      </SectionBoundary>
      <CrashBoundary fallback={nothing}>
        <Backdrop server={server} />
      </CrashBoundary>
      <Identity server={server} name={name} />
      <div className={styles.columns}>
        <aside className={styles.side}>
          <Sections>
            {isPublic && (
              <div ref={card}>
                <VoteCard server={server} name={name} />
              </div>
            )}
            <ConnectCard server={server} />
            <Tags names={server.tags} />
            {server.is_prestige && <Events serverId={server.id} />}
          </Sections>
        </aside>
        <div className={styles.main}>
          <Sections>
            <About server={server} name={name} />
            <Video address={server.video_url} name={name} />
            {isPublic && <Reviews server={server} />}
            {isPublic && <VoteHistory serverId={server.id} />}
            {isPublic && <Stats server={server} />}
            {isPublic && (
              <Near height="12rem">
                <AvailabilityAndOutcomes serverId={server.id} />
              </Near>
            )}
          </Sections>
        </div>
        {isPublic && (
          <aside className={styles.more}>
            <Sections>
              <Suspense fallback={null}>
                <Placings serverId={server.id} />
              </Suspense>
              <Similar serverId={server.id} game={server.games.name} />
              <Months serverId={server.id} />
              <Share server={server} name={name} />
            </Sections>
          </aside>
        )}
      </div>
      {isPublic && <VoteBar server={server} name={name} away={!cardInSight} />}
    </article>
  )
}

/**
 * A link with `?vote=1` opens the vote dialog at once, with the ticket and the nickname of the
 * link; the parameters are then removed from the address.
 */
function useVoteRequest(server: ServerDetail): void {
  const [search, setSearch] = useSearchParams()
  const isVoteRequested = search.has('vote')
  useEffect(() => {
    if (!isVoteRequested) return
    const nickname = search.get('nickname') ?? search.get('pseudo')
    if (server.hidden === null) openVoteDialog({ ...voteTargetOf(server), ticket: search.get('ticket'), nickname })
    setSearch(
      (now) => {
        for (const name of ['vote', 'ticket', 'nickname', 'pseudo']) now.delete(name)
        return now
      },
      { replace: true },
    )
  }, [isVoteRequested, search, server, setSearch])
}
