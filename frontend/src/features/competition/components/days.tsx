import { LineChart } from '@/components/charts/line-chart'
import { Panel } from '@/components/ui/panel'
import { formatDay } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { DayPlace, Standing } from '../api/competition'
import { BEST, courseOf } from '../model/result'
import styles from './competition.module.css'

/** More lines could not be distinguished. */
const LINES = 4

/**
 * The history of the leaders: the votes of the first four as lines, the places of all ten as a
 * table.
 */
export function Days({ days, standings }: { days: readonly DayPlace[]; standings: readonly Standing[] }) {
  const { t } = useTranslation('competition')
  const language = useLanguage()
  const best = standings.filter(({ place }) => place !== null && place <= BEST)
  const names = new Map(best.map(({ server_id, name }) => [server_id, decodeStored(name ?? '')]))
  const course = courseOf(
    days,
    best.map(({ server_id }) => server_id),
  )
  if (course.rows.length === 0) return null
  const lines = course.rows
    .slice(0, LINES)
    .map(({ server, votes }) => ({ name: names.get(server) ?? '', values: votes }))
  return (
    <Panel variant="above" title={t('days.title')} intro={t('days.intro')}>
      <LineChart label={t('days.votes')} days={course.days} series={lines} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('days.places')}>
        <table className={styles.table}>
          <caption>{t('days.places')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('days.server')}</th>
              {course.days.map((day) => (
                <th key={day} scope="col">
                  {formatDay(day, language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {course.rows.map(({ server, places }) => (
              <tr key={server}>
                <th scope="row">{names.get(server)}</th>
                {places.map((place, index) => (
                  <td key={course.days[index]} data-first={place === 1 || undefined}>
                    {place ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
