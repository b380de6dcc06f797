import { useEffect, useRef } from 'react'
import { useTranslation } from '@/lib/i18n'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { LiveDot } from '@/components/ui/live-dot'
import { RetryButton } from '@/components/ui/retry-button'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { Picture } from '@/components/ui/picture'
import { formatNumber } from '@/lib/format'
import { decodeStored, plainText } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import type { FoundServer } from '../api/search-servers'
import styles from './search-results.module.css'

interface SearchResultsProps {
  id: string
  query: string
  results: FoundServer[]
  active: number
  state: 'loading' | 'failed' | 'ready'
  onHover: (index: number) => void
  onOpen: (server: FoundServer) => void
  onRetry: () => void
}

export function SearchResults({ id, query, results, active, state, onHover, onOpen, onRetry }: SearchResultsProps) {
  const { t } = useTranslation('search')
  return (
    <div className={styles.panel}>
      <div role="status" className={styles.status}>
        {state === 'loading' && t('loading')}
        {state === 'ready' && results.length === 0 && t('none', { query })}
        {state === 'failed' && t('failed')}
      </div>
      {state === 'failed' && <RetryButton size="small" onClick={onRetry} />}
      {/* In the tab order because it scrolls. */}
      <ul id={`${id}-results`} role="listbox" tabIndex={results.length > 0 ? 0 : -1} aria-label={t('results')}>
        {results.map((server, index) => (
          <Result
            key={server.id}
            id={`${id}-${index}`}
            server={server}
            active={index === active}
            onHover={() => onHover(index)}
            onOpen={() => onOpen(server)}
          />
        ))}
      </ul>
    </div>
  )
}

interface ResultProps {
  id: string
  server: FoundServer
  active: boolean
  onHover: () => void
  onOpen: () => void
}

/** An option of the list; the field keeps the focus, so the keys are its business. */
function Result({ id, server, active, onHover, onOpen }: ResultProps) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const logo = server.games?.logo_url
  const option = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox handles keys for its options
    <li
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={classes(styles.result, active && styles.active)}
      onPointerMove={onHover}
      onClick={onOpen}
    >
      <span className={styles.logo}>
        <Picture src={logo} width={40} height={40} fallback={<Icon name="games" size={24} />} />
      </span>
      <span className={styles.text}>
        <span className={styles.name}>
          <LiveDot online={server.is_online} />
          <VisuallyHidden>{server.is_online ? t('online') : t('offline')}</VisuallyHidden>
          <span>{decodeStored(server.name)}</span>
        </span>
        <span className={styles.facts}>
          <span>{server.games?.name}</span>
          <span>
            {t('players', {
              online: formatNumber(server.online_players, language),
              max: formatNumber(server.max_players, language),
            })}
          </span>
          <span>
            {t('votes', { count: server.total_votes, formatted: formatNumber(server.total_votes, language) })}
          </span>
        </span>
        <span className={styles.description}>{plainText(server.description)}</span>
      </span>
    </li>
  )
}
