import { Suspense } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { IconButton } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast-store'
import { useFavorites } from '@/entities/server/favorites'
import { useAskToReport } from '@/entities/report/dialog'
import { useSession } from '@/lib/session/session'
import { isStaff } from '@/lib/session/staff'
import type { ListedServer } from '../api/servers'
import styles from './card-parts.module.css'

/** Loaded for owners only. */
const OwnerCardActions = lazyComponent(async () => (await import('./owner-card-actions')).OwnerCardActions)
const AdminCardMenu = lazyComponent(async () => (await import('./admin-card-menu')).AdminCardMenu)

/** Actions on a server besides voting; most need a session. */
export function CardActions({ server, name }: { server: ListedServer; name: string }) {
  const { t } = useTranslation('ranking-list')
  const { user, profile } = useSession()
  const askToReport = useAskToReport()
  return (
    <span className={styles.actions}>
      {user !== null && <FavoriteButton serverId={server.id} name={name} />}
      {user !== null && user.id === server.owner_id && (
        <Suspense>
          <OwnerCardActions server={server} name={name} />
        </Suspense>
      )}
      <IconButton
        icon="flag"
        size="small"
        className={styles.report}
        label={t('card.report', { name })}
        onClick={() => askToReport({ kind: 'server', id: server.id, name })}
      />
      {isStaff(profile) && (
        <Suspense>
          <AdminCardMenu server={server} name={name} />
        </Suspense>
      )}
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
