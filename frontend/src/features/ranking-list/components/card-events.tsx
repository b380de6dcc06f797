import { useTranslation } from '@/lib/i18n'
import { Badge } from '@/components/ui/badge'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { formatDay } from '@/lib/format'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import { eventTitle, isLive, type ServerEvent } from '../model/server-events'
import styles from './card-parts.module.css'

/** What is going on at a promoted server, in a word each. */
export function CardEvents({ events, most }: { events: ServerEvent[]; most: number }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const now = useNow(60_000)
  return events.slice(0, most).map((event) => (
    <span key={event.id} className={styles.event}>
      <Badge tone={isLive(event, now) ? 'online' : 'plain'}>
        <Icon name={isLive(event, now) ? 'flame' : 'calendar'} size={14} />
        {isLive(event, now) ? t('card.live') : t('card.startsOn', { date: formatDay(event.start_date, language) })}
        {' · '}
        <span className={styles.eventTitle}>{decodeStored(eventTitle(event, language))}</span>
      </Badge>
    </span>
  ))
}
