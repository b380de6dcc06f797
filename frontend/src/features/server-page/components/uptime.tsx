import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BarChart } from '@/components/charts/bar-chart'
import { ChartTable } from '@/components/charts/chart-table'
import { LineChart } from '@/components/charts/line-chart'
import { daysFrom } from '@/components/charts/ranges'
import { ViewSwitch } from '@/components/charts/view-switch'
import { Panel } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { formatDate, formatDay, formatShare } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import { useLanguage } from '@/lib/i18n/use-language'
import { STATUS_DAYS, statusDaysQuery } from '../api/status-days'
import { levelOf, uptimeOf, type Uptime as Found } from '../model/uptime'
import styles from './uptime.module.css'

const VIEWS = ['byDay', 'byHour'] as const
type View = (typeof VIEWS)[number]

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))

/**
 * Uptime and player counts: nothing for games without a protocol that reports them. Import lazily.
 */
export function Uptime({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const history = useQuery(statusDaysQuery(serverId))
  const today = siteToday()
  const days = daysFrom(daysAfter(today, 1 - STATUS_DAYS), today)
  const found = uptimeOf(days, history.data ?? [])
  if (history.isPending || (history.data && found === null)) return null
  const share = found?.share ?? null
  const aside =
    share === null ? null : <p className={styles.share}>{t('uptime.share', { share: formatShare(share, language) })}</p>
  return (
    <Panel variant="above" title={t('uptime.title')} aside={aside}>
      {found === null ? (
        <PanelFailure text={t('uptime.failed')} busy={history.isFetching} onRetry={() => void history.refetch()} />
      ) : (
        <div className={styles.parts}>
          <Strip days={days} shares={found.shares} />
          <Players days={days} found={found} />
          <p className={styles.method}>{t('uptime.method', { protocol: t(`uptime.protocol.${found.protocol}`) })}</p>
        </div>
      )}
    </Panel>
  )
}

/** One mark for each day, with a table for screen readers. */
function Strip({ days, shares }: { days: readonly string[]; shares: Found['shares'] }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const write = (share: number): string => formatShare(share, language)
  const label = t('uptime.strip')
  return (
    <div>
      <div className={styles.strip} aria-hidden="true">
        {days.map((day, index) => {
          const share = shares[index] ?? null
          const words = share === null ? '–' : write(share)
          return (
            <i
              key={day}
              className={styles.day}
              data-level={levelOf(share)}
              data-tooltip={`${formatDate(day, language)} · ${words}`}
            />
          )
        })}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{formatDay(days[0] ?? '', language)}</span>
        <span>{formatDay(days.at(-1) ?? '', language)}</span>
      </div>
      <ChartTable label={label} days={days} series={[{ name: t('uptime.day'), values: shares }]} write={write} />
    </div>
  )
}

function Players({ days, found }: { days: readonly string[]; found: Found }) {
  const { t } = useTranslation('server-page')
  const [view, setView] = useState<View>('byDay')
  if (found.peaks.every((peak) => peak === null)) return <p className={styles.none}>{t('uptime.none')}</p>
  const views = VIEWS.map((each) => ({ view: each, name: t(`uptime.${each}`) }))
  const peaks = { name: t('uptime.peak'), values: found.peaks }
  const means = { name: t('uptime.mean'), values: found.means }
  const usual = { name: t('uptime.usual'), values: found.hours }
  const hours = { label: t('uptime.hour'), nameOf: (hour: string) => `${hour.padStart(2, '0')}:00` }
  return (
    <div>
      <div className={styles.head}>
        <h3>{t('uptime.players')}</h3>
        <ViewSwitch label={t('uptime.view')} views={views} value={view} onValueChange={setView} />
      </div>
      {view === 'byDay' ? (
        <LineChart label={t('uptime.players')} days={days} series={[peaks, means]} />
      ) : (
        <BarChart label={t('uptime.players')} days={HOURS} others={hours} series={usual} />
      )}
    </div>
  )
}
