import { Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import type { MinuteCount } from './api'
import classes from './requests-chart.module.css'

const HEIGHT = 120
const STEP = 10

/**
 * A stacked bar for each minute, with failed requests at the bottom and refused ones above; a table
 * has the same figures for screen readers.
 */
export function RequestsChart({ minutes }: { minutes: readonly MinuteCount[] }) {
  const { t } = useTranslation('overview')
  const formats = useFormats()
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(1, ...minutes.map(({ requests }) => requests))
  const sum = (of: (count: MinuteCount) => number) => minutes.reduce((all, count) => all + of(count), 0)
  const selected = pointed === null ? undefined : minutes[pointed]
  return (
    <div>
      <Text size="sm" c="dimmed" className="figures" mb={8}>
        {selected
          ? t('requests.ofMinute', {
              time: formats.time(selected.minute).replace(/:\d\d(?=\D*$)/, ''),
              requests: formats.number(selected.requests),
              refused: formats.number(selected.client_errors),
              failed: formats.number(selected.server_errors),
            })
          : t('requests.ofHour', {
              requests: formats.number(sum(({ requests }) => requests)),
              refused: formats.number(sum(({ client_errors: refused }) => refused)),
              failed: formats.number(sum(({ server_errors: failed }) => failed)),
            })}
      </Text>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${minutes.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
        onPointerLeave={() => setPointed(null)}
      >
        {minutes.map(({ minute, requests, client_errors, server_errors }, index) => {
          const [height, refused, failed] = [requests, client_errors, server_errors].map(
            (count) => (count / most) * (HEIGHT - 2),
          ) as [number, number, number]
          return (
            <g key={minute} onPointerEnter={() => setPointed(index)} data-pointed={index === pointed || undefined}>
              <rect x={index * STEP} width={STEP} y={0} height={HEIGHT} fill="transparent" />
              <rect className={classes.floor} x={index * STEP + 1} width={STEP - 2} y={HEIGHT - 1} height={1} />
              <rect
                className={classes.requests}
                x={index * STEP + 1}
                width={STEP - 2}
                y={HEIGHT - height}
                height={height}
              />
              <rect
                className={classes.refused}
                x={index * STEP + 1}
                width={STEP - 2}
                y={HEIGHT - failed - refused}
                height={refused}
              />
              <rect
                className={classes.failed}
                x={index * STEP + 1}
                width={STEP - 2}
                y={HEIGHT - failed}
                height={failed}
              />
            </g>
          )
        })}
      </svg>
      <VisuallyHidden>
        <table>
          <caption>{t('requests.title')}</caption>
          <thead>
            <tr>
              <th>{t('requests.minute')}</th>
              <th>{t('requests.requests')}</th>
              <th>{t('requests.refused')}</th>
              <th>{t('requests.failed')}</th>
            </tr>
          </thead>
          <tbody>
            {minutes
              .filter(({ requests }) => requests > 0)
              .map(({ minute, requests, client_errors, server_errors }) => (
                <tr key={minute}>
                  <td>{formats.time(minute)}</td>
                  <td>{requests}</td>
                  <td>{client_errors}</td>
                  <td>{server_errors}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}
