import { useTranslation } from '@/lib/i18n/i18n'
import { buttonClass } from '@/components/ui/button'
import { Icon, type IconName } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { isKnownAddress } from '@/entities/server/address'
import { decodeStored } from '@/lib/text/stored-text'
import type { ServerDetail } from '../api/server'
import { youtubeId } from '@/entities/server/video'
import { webAddress } from '@/lib/text/web-address'
import { AddressChip } from './address-chip'
import styles from './connect-card.module.css'

/** How to join: the address to copy, and the server's links. */
export function ConnectCard({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const address = decodeStored(server.ip_address).trim()
  const links = [
    { to: webAddress(server.website_url), label: t('links.website'), icon: 'globe' },
    { to: webAddress(server.discord_url), label: t('links.discord'), icon: 'discord' },
    { to: linkOnly(server.video_url), label: t('links.video'), icon: 'play' },
  ] as const
  const known = links.filter((link) => link.to !== null)
  if (!isKnownAddress(address) && known.length === 0 && !server.version) return null
  return (
    <section className={styles.card} aria-label={t('connect.title')}>
      {isKnownAddress(address) && <AddressChip address={address} serverId={server.id} />}
      {server.version && (
        <p className={styles.version}>{t('connect.version', { version: decodeStored(server.version) })}</p>
      )}
      {known.length > 0 && (
        <div className={styles.links}>
          {known.map((link) => (
            <OutwardLink key={link.icon} to={link.to ?? ''} icon={link.icon} label={link.label} />
          ))}
        </div>
      )}
    </section>
  )
}

/** A video that is shown on the page needs no link. */
function linkOnly(video: string | null): string | null {
  return youtubeId(video) === null ? webAddress(video) : null
}

function OutwardLink({ to, icon, label }: { to: string; icon: IconName; label: string }) {
  const { t } = useTranslation('server-page')
  return (
    <a href={to} target="_blank" rel="noopener nofollow ugc" className={buttonClass({ variant: 'secondary' })}>
      <Icon name={icon} size={18} />
      {label}
      <VisuallyHidden> {t('links.newTab')}</VisuallyHidden>
    </a>
  )
}
