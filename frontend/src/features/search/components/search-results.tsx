import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { RetryButton } from '@/components/ui/retry-button'
import type { Hit } from '../model/hits'
import { GameResult, ServerResult, TagResult } from './result-items'
import styles from './search-results.module.css'

interface SearchResultsProps {
  id: string
  query: string
  hits: Hit[]
  active: number
  state: 'loading' | 'failed' | 'ready'
  onHover: (index: number) => void
  onOpen: (hit: Hit) => void
  onRetry: () => void
}

/** The listbox of a combobox: its options are chosen with the field's keys, or clicked. */
export function SearchResults({ id, query, hits, active, state, onHover, onOpen, onRetry }: SearchResultsProps) {
  const { t } = useTranslation('search')
  return (
    <>
      <div role="status" className={styles.status}>
        {state === 'loading' && t('loading')}
        {state === 'ready' && hits.length === 0 && t('none', { query })}
        {state === 'failed' && t('failed')}
      </div>
      {state === 'failed' && <RetryButton size="small" onClick={onRetry} />}
      <ul className={styles.results} id={`${id}-results`} role="listbox" aria-label={t('results')}>
        {hits.map((hit, index) => (
          <Fragment key={hit.id}>
            {hit.kind !== 'all' && hit.kind !== hits[index - 1]?.kind && (
              <li role="presentation" className={styles.kind}>
                {t(`kinds.${hit.kind}`)}
              </li>
            )}
            <Option
              id={`${id}-${index}`}
              active={index === active}
              onHover={() => onHover(index)}
              onOpen={() => onOpen(hit)}
            >
              <Content hit={hit} query={query} />
            </Option>
          </Fragment>
        ))}
      </ul>
    </>
  )
}

function Content({ hit, query }: { hit: Hit; query: string }) {
  const { t } = useTranslation('search')
  if (hit.found && hit.kind === 'game') return <GameResult result={hit.found} />
  if (hit.found && hit.kind === 'tag') return <TagResult result={hit.found} />
  if (hit.found) return <ServerResult result={hit.found} />
  return (
    <span className={styles.all}>
      {t('all', { query })}
      <Icon name="arrow-right" size={16} />
    </span>
  )
}

interface OptionProps {
  id: string
  active: boolean
  onHover: () => void
  onOpen: () => void
  children: ReactNode
}

/** The field keeps the focus, so it handles the keys. */
function Option({ id, active, onHover, onOpen, children }: OptionProps) {
  const option = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox keeps the focus and handles the keys
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
      {children}
    </li>
  )
}
