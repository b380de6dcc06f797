/** The person's votes: servers that can be voted for again, and the history. */
import { useQuery } from '@tanstack/react-query'
import { Sections } from '@/components/ui/crash-boundary'
import { PageHeader } from '@/components/ui/page-header'
import { config } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { useIntervalText } from '@/lib/i18n/use-interval-text'
import { useSession } from '@/lib/session/session'
import { votedServersQuery } from './api/voted-servers'
import { Figures } from './components/figures'
import { History } from './components/history'
import { NextVotes } from './components/next-votes'
import styles from './my-votes-page.module.css'

export function MyVotesPage() {
  const { t } = useTranslation('my-votes')
  const { user } = useSession()
  const every = useIntervalText(config.voteCooldownSeconds)
  if (user === null) return null
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead', { every })} />
      <Parts userId={user.id} />
    </div>
  )
}

function Parts({ userId }: { userId: string }) {
  const servers = useQuery(votedServersQuery(userId))
  return (
    <Sections>
      <Figures userId={userId} />
      <NextVotes servers={servers} />
      <History userId={userId} />
    </Sections>
  )
}
