import { useEffect } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Link, useSearchParams } from 'react-router'
import { Icon } from '@/components/ui/icon'
import { paths } from '@/lib/paths'
import { decodeStored, plainText, shorten } from '@/lib/stored-text'
import { useDocumentHead } from '@/lib/use-document-head'
import { useLanguage } from '@/lib/use-language'
import { openVoteDialog } from '@/lib/vote-dialog'
import { recordClick } from '../api/record-click'
import type { ServerDetail } from '../api/server'
import { accentOf } from '../model/accent'
import { voteTargetOf } from '../model/vote-target'
import { About } from './about'
import { ConnectCard } from './connect-card'
import { Events } from './events'
import { Identity } from './identity'
import { Reviews } from './reviews'
import { Scene } from './scene'
import { Stats } from './stats'
import { Tags } from './tags'
import { VoteBar } from './vote-bar'
import { VoteCard } from './vote-card'
import { VoteHistory } from './vote-history'
import styles from './server-view.module.css'

/** How many characters of the description search engines are given. */
const HEAD_LENGTH = 120

export function ServerView({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('seo')
  const name = decodeStored(server.name)
  useDocumentHead({
    title: t('server.title', { name, game: server.games.name }),
    description: shorten(plainText(server.description), HEAD_LENGTH),
  })
  useVoteRequest(server)
  useEffect(() => {
    recordClick(server.id).catch(() => {})
  }, [server.id])

  return (
    <article className={styles.page} style={server.is_prestige ? accentOf(server.custom_color) : undefined}>
      <BackLink />
      <Scene server={server} />
      <Identity server={server} name={name} />
      <div className={styles.columns}>
        <aside className={styles.side}>
          <div className={styles.sticky}>
            <VoteCard server={server} name={name} />
            <ConnectCard server={server} name={name} />
          </div>
        </aside>
        <div className={styles.main}>
          <About server={server} name={name} />
          {server.is_prestige && <Events serverId={server.id} />}
          <VoteHistory serverId={server.id} />
          <Stats server={server} />
          <Tags names={server.tags} />
          <Reviews server={server} name={name} />
        </div>
      </div>
      <VoteBar server={server} name={name} />
    </article>
  )
}

function BackLink() {
  const { t } = useTranslation('server-page')
  return (
    <Link to={paths.home(useLanguage())} className={styles.back}>
      <Icon name="arrow-left" size={18} />
      {t('back')}
    </Link>
  )
}

/** A link with `?vote=1` opens the vote dialog at once; the mark leaves the address. */
function useVoteRequest(server: ServerDetail): void {
  const [search, setSearch] = useSearchParams()
  const asked = search.has('vote')
  useEffect(() => {
    if (!asked) return
    openVoteDialog(voteTargetOf(server))
    setSearch(
      (now) => {
        now.delete('vote')
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  }, [asked, server, setSearch])
}
