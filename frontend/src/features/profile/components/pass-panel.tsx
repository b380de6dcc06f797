import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Panel, PanelLoading } from '@/components/ui/panel'
import { Progress } from '@/components/ui/progress'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { useLanguage } from '@/lib/use-language'
import { detailsQuery } from '../api/details'
import { passQuery } from '../api/pass-days'
import { PassSpending } from './pass-spending'
import styles from './pass-panel.module.css'

/** Prestige days earned by voting: how many there are, how near the next is, and giving them to a server. */
export function PassPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const pass = useQuery(passQuery(userId))
  const details = useQuery(detailsQuery(userId))
  return (
    <Panel
      title={t('pass.title')}
      intro={pass.data && t('pass.intro', { votes: formatNumber(pass.data.votesPerDay, language) })}
    >
      <QueryStates query={pass} loading={<PanelLoading rows={1} />} failed={t('pass.unreadable')}>
        {({ days, votesPerDay }) => (
          <>
            {details.data && <NextDay votes={details.data.totalVotes} perDay={votesPerDay} />}
            <p className={days > 0 ? styles.days : styles.none}>
              {days > 0 ? t('pass.days', { count: days }) : t('pass.none')}
            </p>
            {days > 0 && <PassSpending userId={userId} days={days} />}
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

function NextDay({ votes, perDay }: { votes: number; perDay: number }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const done = votes % perDay
  const text = t('pass.progress', { done: formatNumber(done, language), needed: formatNumber(perDay, language) })
  return (
    <div className={styles.progress}>
      <Progress label={text} value={done} max={perDay} tone="gold" />
      <p aria-hidden="true">{text}</p>
    </div>
  )
}
