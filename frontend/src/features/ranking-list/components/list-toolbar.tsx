import type { UseQueryResult } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, type RefObject } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import { formatNumber } from '@/lib/i18n/format'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Tag } from '@/entities/tag/queries'
import { SORTS, choicesIn, isFiltered, type ListState } from '../model/list-state'
import styles from './list-toolbar.module.css'

interface ListToolbarProps {
  title: string
  /** Undefined while loading, null if nothing is counted. */
  count: number | null | undefined
  state: ListState
  tags: UseQueryResult<Tag[]>
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

const ActiveFilters = lazyComponent(async () => (await import('./active-filters')).ActiveFilters)
const ListFilters = lazyComponent(async () => (await import('./list-filters')).ListFilters)

/** The title, order and filters of the list: one sticky row. */
export function ListToolbar({ title, count, state, tags, onChange }: ListToolbarProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const chosen = choicesIn(state)
  const [edge, isStuck] = useStickyState()
  return (
    <>
      <span ref={edge} aria-hidden="true" />
      <div className={styles.bar} data-stuck={isStuck}>
        <div className={styles.heading}>
          <h2 id="server-list-title">{title}</h2>
          <p className={styles.count} role="status">
            {count === undefined && <Skeleton width="5rem" />}
            {typeof count === 'number' && t('count', { count, formatted: formatNumber(count, language) })}
          </p>
        </div>
        <div className={styles.sorts} role="group" aria-label={t('sort.label')}>
          {SORTS.map((sort) => (
            <button
              key={sort}
              type="button"
              className={styles.sort}
              aria-pressed={state.sort === sort}
              onClick={() => onChange({ sort })}
            >
              {t(`sort.${sort}`)}
            </button>
          ))}
        </div>
        <div className={styles.controls}>
          {/* For screens that are too narrow for seven buttons. */}
          <span className={styles.narrow}>
            <Popover
              below
              label={t('sort.label')}
              trigger={(button) => (
                <Button
                  {...button}
                  className={styles.control}
                  aria-label={t('sort.chosen', { sort: t(`sort.${state.sort}`) })}
                >
                  {t(`sort.${state.sort}`)}
                  <Icon name="chevron-down" size={16} />
                </Button>
              )}
            >
              {(close) => (
                <ChoiceList
                  label={t('sort.label')}
                  value={state.sort}
                  options={SORTS.map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
                  onChange={(sort) => {
                    close()
                    onChange({ sort })
                  }}
                />
              )}
            </Popover>
          </span>
          <SectionBoundary>
            <Popover
              below
              label={t('filters.open')}
              className={styles.panel}
              trigger={(button) => (
                <Button {...button} icon="filter" className={styles.control}>
                  <span className={styles.filtersWord}>{t('filters.open')}</span>
                  {chosen > 0 && <span className={styles.number}>{chosen}</span>}
                </Button>
              )}
            >
              <Suspense fallback={<Skeleton height="12rem" />}>
                <ListFilters state={state} tags={tags} onChange={onChange} />
              </Suspense>
            </Popover>
          </SectionBoundary>
        </div>
      </div>
      {isFiltered(state) && (
        <Suspense fallback={<p className={styles.chosen} />}>
          <ActiveFilters tags={tags.data} state={state} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the sticky element after a sentinel is stuck below the header. */
function useStickyState(): [RefObject<HTMLSpanElement | null>, boolean] {
  const edge = useRef<HTMLSpanElement>(null)
  const [isStuck, setStuck] = useState(false)
  useEffect(() => {
    if (typeof IntersectionObserver === 'undefined') return
    const header = getComputedStyle(document.documentElement).scrollPaddingTop
    const seen = new IntersectionObserver(
      ([entry]) => entry && setStuck(!entry.isIntersecting && entry.boundingClientRect.top < entry.rootBounds!.top),
      { rootMargin: `-${parseInt(header) || 0}px 0px 0px` },
    )
    seen.observe(edge.current!)
    return () => seen.disconnect()
  }, [])
  return [edge, isStuck]
}
