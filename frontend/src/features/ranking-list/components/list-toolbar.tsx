import type { UseQueryResult } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { Skeleton } from '@/components/ui/skeleton'
import { Icon } from '@/components/ui/icon'
import { formatNumber } from '@/lib/format'
import { lazyNamed } from '@/lib/lazy'
import { useLanguage } from '@/lib/use-language'
import type { Tag } from '../api/tags'
import { PROMOTIONS, SORTS, type ListState } from '../model/list-state'
import { TagFilter } from './tag-filter'
import styles from './list-toolbar.module.css'

interface ListToolbarProps {
  title: string
  /** Undefined while loading, null when there is nothing to count. */
  count: number | null | undefined
  state: ListState
  tags: UseQueryResult<Tag[]>
  /** The first three, beside the title. */
  podium?: ReactNode
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

const PROMOTION_KEYS = { all: 'all', 'prestige-only': 'prestige', 'regular-only': 'regular' } as const

const Chosen = lazyNamed(async () => (await import('./seldom')).Chosen)

export function ListToolbar({ title, count, state, tags, podium, onChange }: ListToolbarProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  return (
    <>
      <div className={styles.heading}>
        <h2 id="server-list-title">{title}</h2>
        <p className={styles.count} role="status">
          {count === undefined && <Skeleton width="6rem" />}
          {typeof count === 'number' && t('count', { count, formatted: formatNumber(count, language) })}
        </p>
        <SectionBoundary>{podium}</SectionBoundary>
      </div>
      <div className={styles.controls}>
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
        {/* On a phone, where six buttons would not be seen at once. */}
        <select
          className={styles.select}
          aria-label={t('sort.label')}
          value={state.sort}
          onChange={({ target }) => onChange({ sort: SORTS.find((sort) => sort === target.value) ?? 'default' })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(`sort.${sort}`)}
            </option>
          ))}
        </select>
        <select
          className={styles.select}
          aria-label={t('prestige.label')}
          value={state.promotion}
          onChange={({ target }) =>
            onChange({ promotion: PROMOTIONS.find((promotion) => promotion === target.value) ?? 'all' })
          }
        >
          {PROMOTIONS.map((promotion) => (
            <option key={promotion} value={promotion}>
              {t(`prestige.${PROMOTION_KEYS[promotion]}`)}
            </option>
          ))}
        </select>
        <div className={styles.filters}>
          <div className={styles.segments} role="group" aria-label={t('prestige.label')}>
            {PROMOTIONS.map((promotion) => (
              <button
                key={promotion}
                type="button"
                className={styles.segment}
                aria-pressed={state.promotion === promotion}
                onClick={() => onChange({ promotion })}
              >
                {promotion === 'prestige-only' && <Icon name="crown" size={16} />}
                {t(`prestige.${PROMOTION_KEYS[promotion]}`)}
              </button>
            ))}
          </div>
          <SectionBoundary>
            <TagFilter tags={tags} chosen={state.tags} onChange={(names) => onChange({ tags: names })} />
          </SectionBoundary>
        </div>
      </div>
      {(state.tags.length > 0 || state.text !== '') && (
        <Suspense fallback={<p className={styles.chosen} />}>
          <Chosen tags={tags.data} state={state} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}
