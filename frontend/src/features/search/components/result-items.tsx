import { Icon } from '@/components/ui/icon'
import { InlineMarks } from '@/components/ui/inline-marks'
import { LiveDot } from '@/components/ui/live-dot'
import { Picture } from '@/components/ui/picture'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored, oneLine } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'
import type { SearchResult } from '../api/search-site'
import styles from './search-results.module.css'

export function GameResult({ result }: { result: SearchResult }) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  return (
    <>
      <Logo src={result.logo_url} />
      <span className={styles.text}>
        <span className={styles.name}>{result.name}</span>
        <span className={styles.facts}>
          {t('servers', { count: result.servers ?? 0, formatted: formatNumber(result.servers ?? 0, language) })}
        </span>
      </span>
      <Icon name="arrow-right" size={16} />
    </>
  )
}

export function TagResult({ result }: { result: SearchResult }) {
  return (
    <span className={styles.name}>
      <span className={styles.swatch} style={{ background: result.color }} />
      {result.name}
    </span>
  )
}

/** The status is shown only for servers that have been checked. */
export function ServerResult({ result }: { result: SearchResult }) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const description = oneLine(result.description ?? '')
  return (
    <>
      <Logo src={result.logo_url} />
      <span className={styles.text}>
        <span className={styles.name}>
          {result.status_checked_at !== null && (
            <>
              <LiveDot online={result.is_online} />
              <VisuallyHidden>{result.is_online ? t('online') : t('offline')}</VisuallyHidden>
            </>
          )}
          <span>{decodeStored(result.name)}</span>
        </span>
        <span className={styles.facts}>
          <span>{result.game_name}</span>
          {result.max_players > 0 && (
            <span>
              {t('players', {
                online: formatNumber(result.online_players, language),
                max: formatNumber(result.max_players, language),
              })}
            </span>
          )}
          <span>
            {t('votes', { count: result.total_votes, formatted: formatNumber(result.total_votes, language) })}
          </span>
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
