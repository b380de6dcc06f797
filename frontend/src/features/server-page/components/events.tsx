import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { LiveDot } from '@/components/ui/live-dot'
import { Panel } from '@/components/ui/panel'
import { useNow } from '@/components/ui/use-now'
import { eventState } from '@/entities/event/state'
import { formatDay } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { localizedText } from '@/lib/i18n/localized-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { parseHex, toHex } from '@/lib/text/colour'
import { decodeStored } from '@/lib/text/stored-text'
import { eventsQuery } from '../api/events'
import { shownEvents, type PageEvent } from '../model/events'
import styles from './events.module.css'

/**
 * Running and upcoming events of this server. Renders nothing if there are none or they cannot be
 * read.
 */
export function Events({ serverId }: { serverId: string }) {
  const { t } = useTranslation('server-page')
  const now = useNow(30_000)
  const { data } = useQuery(eventsQuery(serverId))
  const events = shownEvents(data ?? [], now)
  if (events.length === 0) return null
  return (
    <Panel variant="boxed" title={t('events.title')}>
      <ul className={styles.events}>
        {events.map((event) => (
          <li key={event.id}>
            <EventItem event={event} now={now} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function EventItem({ event, now }: { event: PageEvent; now: number }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const color = parseHex(event.event_types?.color)
  const description = decodeStored(localizedText(event, 'description', language))
  const isLive = eventState(event, now) === 'live'
  return (
    <article className={styles.event} style={color ? { borderLeftColor: toHex(color) } : undefined}>
      <div className={styles.head}>
        <h3 className={styles.title}>{decodeStored(localizedText(event, 'title', language))}</h3>
        <Badge tone={isLive ? 'online' : 'plain'}>
          {isLive && <LiveDot online />}
          {t(isLive ? 'events.live' : 'events.upcoming')}
        </Badge>
      </div>
      <p className={styles.when}>
        {event.event_types && <strong>{event.event_types[`name_${language}`]} · </strong>}
        {t('events.from', { start: formatDay(event.start_date, language), end: formatDay(event.end_date, language) })}
      </p>
      {description && <p className={styles.text}>{description}</p>}
    </article>
  )
}
