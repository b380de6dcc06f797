import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { lazyModule, lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { showList } from '@/lib/routing/list-anchor'
import { LONGEST_QUERY, SHORTEST_QUERY, searchQuery, searchedText } from '../api/search-site'
import { hitsOf, resultsAddress, type Hit } from '../model/hits'
import styles from './search-box.module.css'
import { useDebouncedValue } from './use-debounced-value'

const results = lazyModule(() => import('./search-results'))
const SearchResults = lazyComponent(results, (module) => module.SearchResults)

interface SearchBoxProps {
  size?: 'medium' | 'large'
  /** Called when a result was opened, so that a menu around the box can close. */
  onOpened?: () => void
}

/**
 * A search field with its results below: games, tags, servers. Arrow keys choose, Enter opens the
 * chosen result or else the first, Escape closes only the list.
 */
export function SearchBox({ size = 'medium', onOpened }: SearchBoxProps) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const navigate = useNavigate()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const searchText = searchedText(typed)
  const text = useDebouncedValue(searchText, 180)
  const found = useQuery(searchQuery(text, language))
  const isOpen = open && searchText.length >= SHORTEST_QUERY
  // While the last letters are being debounced, the shown results belong to the former text.
  const loading = text !== searchText || found.isPending || found.isPlaceholderData
  const hits = isOpen && !loading && found.data ? hitsOf(found.data, text, language) : []

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  function openHit({ to, kind }: Pick<Hit, 'to' | 'kind'>): void {
    setTyped('')
    setOpen(false)
    setActive(-1)
    onOpened?.()
    void navigate(to)
    // The result is the list of this page, which may be below the viewport.
    if (kind === 'all' || kind === 'tag') requestAnimationFrame(() => showList())
  }

  function onKeyDown(event: KeyboardEvent): void {
    const chosen = hits[active] ?? hits[0]
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      // A dialog around the field listens on the document.
      event.nativeEvent.stopImmediatePropagation()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Enter' && searchText.length >= SHORTEST_QUERY) {
      // Enter before the results have arrived opens the ranking with this filter.
      event.preventDefault()
      if (chosen) openHit(chosen)
      else if (loading) openHit({ to: resultsAddress(searchText, language), kind: 'all' })
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && hits.length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((before) =>
        before === -1 && step === -1 ? hits.length - 1 : (before + step + hits.length) % hits.length,
      )
    }
  }

  return (
    <div
      ref={box}
      className={classes(styles.box, size === 'large' && styles.large)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && event.relatedTarget !== null) setOpen(false)
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_QUERY}
        enterKeyHint="search"
        className={styles.input}
        aria-label={t('label')}
        placeholder={t('placeholder')}
        aria-expanded={isOpen}
        aria-controls={`${id}-results`}
        aria-autocomplete="list"
        aria-activedescendant={hits[active] ? `${id}-${active}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(-1)
          setOpen(true)
        }}
        onFocus={() => {
          setOpen(true)
          void loadWithRetry(results)
        }}
        onKeyDown={onKeyDown}
      />
      {typed && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('clear')}
          onClick={() => {
            setTyped('')
            box.current?.querySelector('input')?.focus()
          }}
        >
          <Icon name="close" size={16} />
        </button>
      )}
      {isOpen && (
        <div className={styles.panel}>
          <Suspense fallback={<p role="status">{t('loading')}</p>}>
            <SearchResults
              id={id}
              query={searchText}
              hits={hits}
              active={active}
              state={loading ? 'loading' : found.isError ? 'failed' : 'ready'}
              onHover={setActive}
              onOpen={openHit}
              onRetry={() => void found.refetch()}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}
