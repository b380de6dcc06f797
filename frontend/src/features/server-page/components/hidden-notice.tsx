import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import type { ServerDetail } from '../api/server'
import { showServerMutation } from '../api/show-server'
import styles from './hidden-notice.module.css'

/** To the owner of a server that visitors do not see: why not, and how to change that where the owner can. */
export function HiddenNotice({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const show = useMutation(showServerMutation())
  const reason = server.hidden ?? 'owner'
  const mayShow = reason === 'owner' || reason === 'bonus_expired'
  return (
    <section className={styles.notice} aria-label={t('hidden.label')}>
      <Icon name="eye-off" size={20} />
      <p className={styles.words}>
        <strong>{t('hidden.title')}</strong> {t(`hidden.reason.${REASONS[reason]}`)}
      </p>
      {mayShow && (
        <Button size="small" icon="eye" busy={show.isPending} onClick={() => show.mutate(server.id)}>
          {t('hidden.show')}
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
