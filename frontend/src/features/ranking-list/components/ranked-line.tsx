import { Icon } from '@/components/ui/icon'
import { Medal } from '@/components/ui/medal'
import { ServerLogo } from '@/components/ui/server-logo'
import { formatNumber } from '@/lib/format'
import { useTranslation } from '@/lib/i18n'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import type { ListedServer } from '../api/servers'
import type { Place } from '../model/place'
import { Movement } from './movement'
import styles from './ranked-line.module.css'

/** The place of a promoted server in the ranking; its card stands above, and this leads there. */
export function RankedLine({ server, place, moved }: Place & { server: ListedServer }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const name = decodeStored(server.name)
  const show = () => {
    const card = document.getElementById(`server-${server.id}`)
    card?.scrollIntoView({ block: 'center', inline: 'center' })
    card?.querySelector('a')?.focus({ preventScroll: true })
  }
  return (
    <button type="button" className={styles.line} onClick={show}>
      <span className={styles.rank}>
        <Medal place={place} label={t('card.rank', { rank: formatNumber(place, language) })} />
      </span>
      <Movement moved={moved} />
      <ServerLogo src={server.logo_image_url} name={name} size={28} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.where}>
          <Icon name="crown" size={14} />
          {t('promoted.above')}
        </span>
      </span>
      <span className={styles.votes}>
        {t('votes', { count: server.monthly_votes, formatted: formatNumber(server.monthly_votes, language) })}
      </span>
    </button>
  )
}
