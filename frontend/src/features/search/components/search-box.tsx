import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { useNavigate } from 'react-router'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import { SHORTEST_QUERY, searchQuery, type FoundServer } from '../api/search-servers'
import { SearchResults } from './search-results'
import { useSettled } from './use-settled'
import styles from './search-box.module.css'

interface SearchBoxProps {
  size?: 'medium' | 'large'
  /** Told when a result was opened, so that a menu around the box can close. */
  onOpened?: () => void
}

/** A search field with what it finds below it, by name. Arrow keys choose, Enter opens, Escape closes. */
export function SearchBox({ size = 'medium', onOpened }: SearchBoxProps) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const navigate = useNavigate()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const text = useSettled(typed.trim(), 180)
  const found = useQuery(searchQuery(text))
  const shown = open && typed.trim().length >= SHORTEST_QUERY
  // While the last letters are still on their way the former results would answer another question.
  const loading = text !== typed.trim() || found.isPending || found.isPlaceholderData
  const results = shown && !loading && found.data ? found.data : []

  useEffect(() => {
    if (!shown) return
    const closeOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [shown])

  function openServer(server: FoundServer): void {
    setTyped('')
    setOpen(false)
    setActive(-1)
    onOpened?.()
    void navigate(paths.server(language, server))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const chosen = results[active] ?? results[0]
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      openServer(chosen)
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && results.length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((before) =>
        before === -1 && step === -1 ? results.length - 1 : (before + step + results.length) % results.length,
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
        enterKeyHint="search"
        className={styles.input}
        aria-label={t('label')}
        placeholder={t('placeholder')}
        aria-expanded={shown}
        aria-controls={`${id}-results`}
        aria-autocomplete="list"
        aria-activedescendant={results[active] ? `${id}-${active}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(-1)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
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
      {shown && (
        <SearchResults
          id={id}
          query={typed.trim()}
          results={results}
          active={active}
          state={loading ? 'loading' : found.isError ? 'failed' : 'ready'}
          onHover={setActive}
          onOpen={openServer}
          onRetry={() => void found.refetch()}
        />
      )}
    </div>
  )
}
