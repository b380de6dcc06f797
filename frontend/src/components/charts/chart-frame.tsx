import { useState, type CSSProperties, type PointerEvent, type ReactNode } from 'react'
import { formatCompact, formatDate, formatDay, formatNumber, formatWeekday } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { ChartTable } from './chart-table'
import { dayAt, namedDays, niceTicks, scaleOf, type Scale } from './geometry'
import type { ChartProps } from './types'
import styles from './chart.module.css'

interface FrameProps extends ChartProps {
  /** Each day has a column of its own, as in bar charts. */
  slots?: boolean
  /** The marks have labels with their figures, so there is no axis. */
  hasLabels?: boolean
  /** The last day is today, which is not over. */
  ongoing?: boolean
  children: (scale: Scale, pointed: number | null) => ReactNode
}

/**
 * The parts that all charts share: axes with round figures, a hint by pointer, touch and keys, and
 * a table for screen readers.
 */
export function ChartFrame(props: FrameProps) {
  const { label, days, others, series, format, empty, slots = false, hasLabels, ongoing, children } = props
  const { t } = useTranslation('ui')
  const language = useLanguage()
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  if (days.length === 0 || most === 0) return <p className={styles.empty}>{empty ?? t('chart.empty')}</p>

  const write = format ?? ((value: number) => formatNumber(value, language))
  const ticks = niceTicks(most)
  const tickWords = ticks.map((tick) => (format ? format(tick) : formatCompact(tick, language)))
  const scale = scaleOf(days.length, ticks.at(-1) ?? 1, slots)
  const named = namedDays(days.length, 7)
  const nameOf = (index: number): string => {
    const day = days[index] ?? ''
    if (others) return others.nameOf(day)
    if (days.length > 7) return formatDay(day, language)
    return ongoing && index === days.length - 1 ? t('chart.today') : formatWeekday(day, language, 'short')
  }
  const nameInFull = (index: number): string => {
    const day = days[index] ?? ''
    return others ? others.nameOf(day) : formatDate(day, language)
  }
  // Labels at the ends are aligned so that they stay within the chart.
  const edgeOf = (index: number): 'first' | 'last' | undefined => {
    if (slots && days.length <= 7) return undefined
    if (index === days.length - 1) return 'last'
    return index === 0 ? 'first' : undefined
  }
  const figures = (index: number) =>
    series.map(({ name, values }) => ({ name, words: values[index] == null ? '–' : write(values[index]) }))
  const read = pointed ?? days.length - 1

  function follow(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (width > 0) setPointed(dayAt((event.clientX - left) / width, days.length, slots))
  }

  return (
    <figure
      className={styles.chart}
      style={asStyle({ '--axis': `${Math.max(...tickWords.map(({ length }) => length))}ch` })}
    >
      {series.length > 1 && (
        <ul className={styles.legend} aria-hidden="true">
          {series.map(({ name }, index) => (
            <li key={name} data-series={index}>
              <i className={styles.swatch} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.body} data-told={hasLabels || undefined}>
        <div className={styles.figures} aria-hidden="true">
          {ticks.map((tick, index) => (
            <span key={tick} style={{ top: `${scale.y(tick)}%` }}>
              {tickWords[index]}
            </span>
          ))}
        </div>
        <div className={styles.plot}>
          {ticks.map((tick) => (
            <i key={tick} className={styles.line} style={{ top: `${scale.y(tick)}%` }} />
          ))}
          {children(scale, pointed)}
          {pointed !== null && <Hint day={nameInFull(pointed)} figures={figures(pointed)} x={scale.x(pointed)} />}
          {/* An invisible range input over the plot: arrow keys, Home and End move between the
              days. */}
          <input
            type="range"
            className={styles.reader}
            min={0}
            max={days.length - 1}
            value={read}
            aria-label={label}
            aria-valuetext={[nameInFull(read), ...figures(read).map(({ name, words }) => `${name} ${words}`)].join(
              ', ',
            )}
            onChange={(event) => setPointed(Number(event.target.value))}
            onFocus={() => setPointed((now) => now ?? days.length - 1)}
            onBlur={() => setPointed(null)}
            onPointerDown={follow}
            onPointerMove={follow}
            onPointerLeave={() => setPointed(null)}
          />
        </div>
        <div className={styles.days} data-few={days.length <= 7 || undefined} aria-hidden="true">
          {named.map((index, place) => (
            <span
              key={index}
              style={{ left: `${scale.x(index)}%` }}
              data-spare={(named.length - 1 - place) % 2 === 1 || undefined}
              data-edge={edgeOf(index)}
            >
              {nameOf(index)}
            </span>
          ))}
        </div>
      </div>
      <ChartTable label={label} days={days} others={others} series={series} write={write} />
    </figure>
  )
}

function Hint({ day, figures, x }: { day: string; figures: readonly { name: string; words: string }[]; x: number }) {
  return (
    <div className={styles.hint} style={asStyle({ '--x': `${x}%` })} aria-hidden="true">
      <p className={styles.hintDay}>{day}</p>
      {figures.map(({ name, words }, index) => (
        <p key={name} className={styles.hintRow} data-series={index}>
          <i className={styles.swatch} />
          <span>{name}</span>
          <b>{words}</b>
        </p>
      ))}
    </div>
  )
}

/** React's type of a style has no custom properties. */
function asStyle(style: CSSProperties & Record<`--${string}`, string>): CSSProperties {
  return style
}
