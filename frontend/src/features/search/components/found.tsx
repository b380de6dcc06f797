import { Icon } from '@/components/ui/icon'
import { InlineMarks } from '@/components/ui/inline-marks'
import { LiveDot } from '@/components/ui/live-dot'
import { Picture } from '@/components/ui/picture'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored, oneLine } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Found } from '../api/search-site'
import styles from './search-results.module.css'

export function FoundGame({ found }: { found: Found }) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  return (
    <>
      <Logo src={found.logo_url} />
      <span className={styles.text}>
        <span className={styles.name}>{found.name}</span>
        <span className={styles.facts}>
          {t('servers', { count: found.servers ?? 0, formatted: formatNumber(found.servers ?? 0, language) })}
        </span>
      </span>
      <Icon name="arrow-right" size={16} />
    </>
  )
}

export function FoundTag({ found }: { found: Found }) {
  return (
    <span className={styles.name}>
      <span className={styles.swatch} style={{ background: found.color }} />
      {found.name}
    </span>
  )
}

/** Whether a server answers is shown only where somebody has looked. */
export function FoundServer({ found }: { found: Found }) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const description = oneLine(found.description ?? '')
  return (
    <>
      <Logo src={found.logo_url} />
      <span className={styles.text}>
        <span className={styles.name}>
          {found.status_checked_at !== null && (
            <>
              <LiveDot online={found.is_online} />
              <VisuallyHidden>{found.is_online ? t('online') : t('offline')}</VisuallyHidden>
            </>
          )}
          <span>{decodeStored(found.name)}</span>
        </span>
        <span className={styles.facts}>
          <span>{found.game_name}</span>
          {found.max_players > 0 && (
            <span>
              {t('players', {
                online: formatNumber(found.online_players, language),
                max: formatNumber(found.max_players, language),
              })}
            </span>
          )}
          <span>{t('votes', { count: found.total_votes, formatted: formatNumber(found.total_votes, language) })}</span>
        </span>
        <span className={styles.description}>
          <InlineMarks text={description} />
        </span>
      </span>
    </>
  )
}

function Logo({ src }: { src: string | null }) {
  return (
    <span className={styles.logo}>
      <Picture src={src} width={40} height={40} fallback={<Icon name="games" size={24} />} />
    </span>
  )
}
