/** The three positions and their bookings in the coming weeks. */
import { useQuery } from '@tanstack/react-query'
import { QueryStates } from '@/components/query/query-states'
import { Panel, PanelLoading } from '@/components/ui/panel'
import { formatDay } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import { daysAfter, siteToday } from '@/lib/time/site-day'
import { daysQuery } from '../api/spots'
import { POSITIONS, columnsOf, statusOf } from '../model/tiles'
import styles from './calendar.module.css'

const DAYS = 28

export function Calendar() {
  const { t } = useTranslation('admin-arcade')
  const language = useLanguage()
  const first = siteToday()
  const last = daysAfter(first, DAYS - 1)
  const spots = useQuery(daysQuery(first, last))
  return (
    <Panel
      variant="above"
      title={t('lanes.title')}
      intro={t('days', { from: formatDay(first, language), to: formatDay(last, language) })}
    >
      <QueryStates query={spots} loading={<PanelLoading rows={3} />} failed={t('lanes.failed')}>
        {(rows) => (
          <div className={styles.lanes}>
            {POSITIONS.map((position) => {
              const booked = rows.filter((spot) => String(spot.position) === position)
              return (
                <section key={position} className={styles.lane} aria-label={t(`position.${position}`)}>
                  <h3 className={styles.name}>{t(`position.${position}`)}</h3>
                  {booked.length === 0 && <p className={styles.free}>{t('lanes.free')}</p>}
                  <ul className={styles.days}>
                    {booked.map((spot) => {
                      const days = { from: spot.start_date, to: spot.end_date }
                      const { start, end } = columnsOf(days, first, DAYS)
                      const status = statusOf(spot.status)
                      const span = t('days', {
                        from: formatDay(days.from, language),
                        to: formatDay(days.to, language),
                      })
                      const name = spot.servers ? decodeStored(spot.servers.name) : t('noServer')
                      return (
                        <li
                          key={spot.id}
                          className={styles.spot}
                          data-status={status}
                          style={{ gridColumn: `${start} / ${end}` }}
                          data-tooltip={`${name} · ${span} · ${t(`status.${status}`)}`}
                        >
                          <span className={styles.words}>
                            {name} <span className={styles.span}>{span}</span>
                          </span>
                        </li>
                      )
                    })}
                  </ul>
                </section>
              )
            })}
          </div>
        )}
      </QueryStates>
    </Panel>
  )
}
