import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { setVisibilityMutation } from '@/entities/server/visibility'
import { useSession } from '@/lib/session/session'
import { decodeStored } from '@/lib/text/stored-text'
import type { ServerDetail } from '../api/server'
import styles from './hidden-notice.module.css'

/** Tells the owner of a hidden server why it is hidden, and how to show it again if possible. */
export function HiddenNotice({ server }: { server: ServerDetail }) {
  const { t } = useTranslation(['server-page', 'visibility'])
  const show = useMutation(setVisibilityMutation())
  const { user } = useSession()
  const reason = server.hidden ?? 'owner'
  const mayShow = user !== null && (reason === 'owner' || reason === 'bonus_expired')
  return (
    <section className={styles.notice} aria-label={t('hidden.label')}>
      <Icon name="eye-off" size={20} />
      <p className={styles.words}>
        <strong>{t('hidden.title')}</strong> {t(`hidden.reason.${REASONS[reason]}`)}
      </p>
      {mayShow && (
        <Button
          size="small"
          icon="eye"
          busy={show.isPending}
          onClick={() =>
            show.mutate({ id: server.id, userId: user.id, name: decodeStored(server.name), isVisible: true })
          }
        >
          {t('visibility:show')}
        </Button>
      )}
    </section>
  )
}

const REASONS = {
  waiting: 'waiting',
  owner: 'owner',
  moderation: 'moderation',
  bonus_expired: 'lapsed',
  owner_left: 'left',
  game_closed: 'game',
} as const
