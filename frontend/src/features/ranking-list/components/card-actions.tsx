import { useTranslation } from '@/lib/i18n'
import { ButtonLink, IconButton } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast-store'
import { useFavorites } from '@/lib/favorites'
import { paths } from '@/lib/paths'
import { useAskToReport } from '@/lib/report-dialog'
import { useSession } from '@/lib/session'
import { useLanguage } from '@/lib/use-language'
import type { ListedServer } from '../api/servers'
import styles from './card-parts.module.css'

/** What can be done with a server besides voting; most of it when signed in. */
export function CardActions({ server, name }: { server: ListedServer; name: string }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const { user } = useSession()
  const askToReport = useAskToReport()
  return (
    <span className={styles.actions}>
      {user !== null && <FavoriteButton serverId={server.id} name={name} />}
      {user !== null && user.id === server.owner_id && (
        <ButtonLink
          look="quiet"
          size="small"
          icon="code"
          aria-label={t('card.api', { name })}
          to={paths.editServerIntegrations(language, { serverId: server.id })}
        >
          API
        </ButtonLink>
      )}
      <IconButton
        icon="flag"
        size="small"
        className={styles.report}
        label={t('card.report', { name })}
        onClick={() => askToReport({ kind: 'server', id: server.id, name })}
      />
    </span>
  )
}

function FavoriteButton({ serverId, name }: { serverId: string; name: string }) {
  const { t } = useTranslation('ranking-list')
  const favorites = useFavorites()
  const chosen = favorites.has(serverId)
  function toggle(): void {
    try {
      favorites.toggle(serverId)
    } catch {
      showToast({ title: t('card.favoriteFailed'), tone: 'danger' })
    }
  }
  return (
    <IconButton
      icon="heart"
      size="small"
      filled={chosen}
      aria-pressed={chosen}
      className={chosen ? styles.chosen : undefined}
      label={t('card.favorite', { name })}
      onClick={toggle}
    />
  )
}
