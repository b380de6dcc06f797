import { Badge } from '@/components/ui/badge'
import { Icon } from '@/components/ui/icon'
import { useNow } from '@/components/ui/use-now'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { ServerEvent } from '@/entities/event/queries'
import { formatDay } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { localizedText } from '@/lib/i18n/localized-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import { isLive } from '../model/server-events'
import styles from './card-parts.module.css'

/** The next event of a promoted server, and the number of others. */
export function CardEvents({ events }: { events: ServerEvent[] }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const now = useNow(60_000)
  const [first, ...rest] = events
  if (first === undefined) return null
  const live = isLive(first, now)
  const titles = rest.map((event) => decodeStored(localizedText(event, 'title', language))).join(', ')
  return (
    <span className={styles.event}>
      <Badge tone={live ? 'online' : 'plain'}>
        <Icon name={live ? 'flame' : 'calendar'} size={14} />
        {live ? t('card.live') : t('card.startsOn', { date: formatDay(first.start_date, language) })}
        {' · '}
        <span className={styles.eventTitle}>{decodeStored(localizedText(first, 'title', language))}</span>
      </Badge>
      {rest.length > 0 && (
        <span data-tooltip={titles}>
          <VisuallyHidden>{t('card.moreEvents', { count: rest.length, titles })}</VisuallyHidden>
          <Badge>
            <span aria-hidden="true">+{rest.length}</span>
          </Badge>
        </span>
      )}
    </span>
  )
}
