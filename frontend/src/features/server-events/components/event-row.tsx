import { Badge, TagChip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { LiveDot } from '@/components/ui/live-dot'
import type { EventState } from '@/entities/event/state'
import { formatDate, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '@/lib/i18n/languages'
import { localizedText } from '@/lib/i18n/localized-text'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import type { OwnEvent } from '../api/events'
import styles from './event-row.module.css'

interface EventRowProps {
  event: OwnEvent
  state: EventState
  onEdit: () => void
  onDelete: (() => Promise<unknown>) | undefined
}

/** One event as its owner sees it: title, dates, languages, and actions. */
export function EventRow({ event, state, onEdit, onDelete }: EventRowProps) {
  const { t } = useTranslation('server-events')
  const language = useLanguage()
  const title = decodeStored(localizedText(event, 'title', language))
  const description = decodeStored(localizedText(event, 'description', language))
  const missing = LANGUAGES.filter((one) => event[`title_${one}`] === null)
  return (
    <li className={styles.event} data-state={state}>
      <div className={styles.words}>
        <p className={styles.title}>
          <strong>{title}</strong>
          {state === 'live' && (
            <Badge tone="online">
              <LiveDot online />
              {t('state.live')}
            </Badge>
          )}
          {event.event_types && (
            <TagChip color={event.event_types.color}>{event.event_types[`name_${language}`]}</TagChip>
          )}
        </p>
        <p className={styles.facts}>
          <EventDates event={event} language={language} />
        </p>
        {description && <p className={styles.description}>{description}</p>}
        {missing.length > 0 && state !== 'ended' && (
          <p className={styles.facts}>
            {t('notIn', { languages: missing.map((one) => LANGUAGE_NAMES[one]).join(', ') })}
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Button size="small" icon="edit" aria-label={t('editNamed', { event: title })} onClick={onEdit}>
          {t('edit')}
        </Button>
        {onDelete && (
          <ConfirmButton
            size="small"
            variant="quiet"
            icon="trash"
            aria-label={t('deleteNamed', { event: title })}
            title={t('confirm.title', { event: title })}
            text={t('confirm.text')}
            confirm={t('delete')}
            onConfirm={onDelete}
          >
            {t('delete')}
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}

function EventDates({ event, language }: { event: OwnEvent; language: Language }) {
  const { t } = useTranslation('server-events')
  const momentText = (moment: string): string => `${formatDate(moment, language)}, ${formatTime(moment, language)}`
  return <>{t('when', { start: momentText(event.start_date), end: momentText(event.end_date) })}</>
}
