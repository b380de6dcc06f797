import { useId } from 'react'
import { useTranslation } from '@/lib/i18n'
import { classes } from '@/components/ui/classes'
import { formatDay, formatNumber, formatWeekday } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import type { VoteDay } from '../api/vote-history'
import { barsOf, CHART } from '../model/chart'
import styles from './vote-chart.module.css'

/** Drawn for the eye; the table beside it says the same to everyone else. */
export function VoteChart({ days }: { days: readonly VoteDay[] }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const fill = useId()
  const bars = barsOf(days)
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${CHART.width} ${CHART.height}`} aria-hidden="true" className={styles.drawing}>
        <defs>
          <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--accent)" stopOpacity="0.6" />
            <stop offset="1" stopColor="var(--accent)" stopOpacity="0.25" />
          </linearGradient>
          {/* Today is not over: its bar is a part of what it will be. */}
          <pattern id={`${fill}-part`} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="8" height="8" fill="var(--accent)" fillOpacity="0.35" />
            <rect width="4" height="8" fill="var(--accent)" />
          </pattern>
        </defs>
        <line
          className={styles.axis}
          x1="0"
          x2={CHART.width}
          y1={CHART.height - CHART.bottom}
          y2={CHART.height - CHART.bottom}
        />
        {bars.map((bar, index) => {
          const isToday = index === bars.length - 1
          const middle = bar.x + bar.width / 2
          return (
            <g key={bar.day} className={classes(styles.day, isToday && styles.today)}>
              <rect
                className={styles.bar}
                style={{ animationDelay: `${index * 30}ms` }}
                x={bar.x}
                y={bar.y}
                width={bar.width}
                height={bar.height}
                rx={Math.min(7, bar.height / 2)}
                fill={isToday ? `url(#${fill}-part)` : `url(#${fill})`}
              />
              <text className={styles.count} x={middle} y={bar.y - 8}>
                {formatNumber(bar.count, language)}
              </text>
              <text className={styles.label} x={middle} y={CHART.height - 7}>
                {isToday ? t('history.today') : formatWeekday(bar.day, language, 'short')}
              </text>
            </g>
          )
        })}
      </svg>
      <table className={styles.table}>
        <caption>{t('history.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('history.day')}</th>
            <th scope="col">{t('history.votes')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.vote_date}>
              <th scope="row">{`${formatWeekday(day.vote_date, language)} ${formatDay(day.vote_date, language)}`}</th>
              <td>{formatNumber(day.vote_count, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
