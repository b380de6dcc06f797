import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { askReminderMutation, endReminderMutation } from '../api/reminder'
import { reminding } from '../model/reminding'
import styles from './remind-me.module.css'

/**
 * Offers a reminder of the next possible vote. Renders nothing if the browser does not support it;
 * permission is requested only after a click.
 */
export function RemindMe({ serverId }: { serverId: string }) {
  const { t } = useTranslation('vote')
  const language = useLanguage()
  const ask = useMutation(askReminderMutation())
  const end = useMutation(endReminderMutation())
  const can = reminding()
  if (can === 'impossible') return null
  if (can === 'denied') return <p className={styles.note}>{t('remind.denied')}</p>
  if (ask.data !== undefined)
    return (
      <p className={styles.note} role="status">
        <Icon name="bell" size={16} />
        {t('remind.done', { time: formatTime(ask.data, language) })}
        <Button
          variant="quiet"
          size="small"
          busy={end.isPending}
          onClick={() => end.mutate(serverId, { onSuccess: () => ask.reset() })}
        >
          {t('remind.end')}
        </Button>
      </p>
    )
  return (
    <Button wide icon="bell" busy={ask.isPending} onClick={() => ask.mutate({ serverId, language })}>
      {t('remind.ask')}
    </Button>
  )
}
