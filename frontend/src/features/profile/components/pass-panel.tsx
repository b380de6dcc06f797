import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '@/components/ui/link'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Near } from '@/components/ui/near'
import { Panel, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { Progress } from '@/components/ui/progress'
import { ownServersQuery } from '@/entities/server/own'
import { formatDate, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { detailsQuery } from '../api/details'
import { passQuery } from '../api/pass-days'
import type { Spending } from '../model/pass'
import rows from './rows.module.css'
import styles from './pass-panel.module.css'

/** Loaded lazily near the viewport, because it is a form for people with days to give. */
const PassSpending = lazyComponent(async () => (await import('./pass-spending')).PassSpending)

/**
 * Prestige days earned by voting: their number, the progress to the next, and the form that gives
 * them to a server.
 */
export function PassPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const pass = useQuery(passQuery(userId))
  const details = useQuery(detailsQuery(userId))
  // While the list of servers above is loading, everything below it seems near the viewport.
  const isPlaced = !useQuery(ownServersQuery(userId)).isPending
  return (
    <Panel
      title={t('pass.title')}
      intro={pass.data && t('pass.intro', { votes: formatNumber(pass.data.votesPerDay, language) })}
    >
      <QueryStates query={pass} loading={<PanelLoading rows={1} />} failed={t('pass.unreadable')}>
        {({ days, votesPerDay, spent }) => (
          <>
            {details.data && <NextDay votes={details.data.totalVotes} perDay={votesPerDay} />}
            <p className={days > 0 ? styles.days : styles.none}>
              {days > 0 ? t('pass.days', { count: days }) : t('pass.none')}
            </p>
            {days > 0 && isPlaced && (
              <Near height="10rem">
                <PassSpending userId={userId} days={days} />
              </Near>
            )}
            {spent.length > 0 && <SpendingList spendings={spent} />}
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

/** How many uses are shown at first. */
const FIRST = 5

/** The past uses of days. */
function SpendingList({ spendings: spent }: { spendings: Spending[] }) {
  const { t } = useTranslation(['profile', 'ui'])
  const language = useLanguage()
  const [isWhole, setWhole] = useState(false)
  return (
    <div className={styles.spent}>
      <h3 className={styles.heading}>{t('profile:pass.spent')}</h3>
      <PanelList label={t('profile:pass.spent')}>
        {(isWhole ? spent : spent.slice(0, FIRST)).map(({ at, server, days }) => (
          <PanelRow
            key={`${at} ${server?.id ?? ''}`}
            icon={<Icon name="crown" />}
            title={
              server ? (
                <Link to={paths.server(language, server)} className={rows.link}>
                  {decodeStored(server.name)}
                </Link>
              ) : (
                t('profile:pass.gone')
              )
            }
            details={formatDate(at, language)}
            action={<span className={rows.amount}>{t('profile:pass.given', { count: days })}</span>}
          />
        ))}
      </PanelList>
      {!isWhole && spent.length > FIRST && (
        <Button variant="quiet" icon="chevron-down" onClick={() => setWhole(true)}>
          {t('ui:showAll', { count: spent.length })}
        </Button>
      )}
    </div>
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
