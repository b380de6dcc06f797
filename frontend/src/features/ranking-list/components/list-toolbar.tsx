import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { Skeleton } from '@/components/ui/skeleton'
import { Icon } from '@/components/ui/icon'
import { formatNumber } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { tagLabel, type Tag } from '../api/tags'
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
      {(state.tags.length > 0 || state.text !== '') && <Chosen tags={tags.data} state={state} onChange={onChange} />}
    </>
  )
}

interface ChosenProps {
  tags: Tag[] | undefined
  state: ListState
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

/** What narrows the list, each to be taken away by itself. */
function Chosen({ tags, state, onChange }: ChosenProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const label = (name: string) => {
    const tag = tags?.find((candidate) => candidate.name === name)
    return tag ? tagLabel(tag, language) : name
  }
  return (
    <ul className={styles.chosen}>
      {state.text !== '' && (
        <li>
          <button
            type="button"
            className={styles.chip}
            aria-label={t('text.remove', { text: state.text })}
            onClick={() => onChange({ text: '' })}
          >
            {t('text.chosen', { text: state.text })}
            <Icon name="close" size={14} />
          </button>
        </li>
      )}
      {state.tags.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t('tags.remove', { tag: label(name) })}
            onClick={() => onChange({ tags: state.tags.filter((other) => other !== name) })}
          >
            {label(name)}
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={() => onChange({ tags: [], text: '' })}>
          {t('tags.clear')}
        </button>
      </li>
    </ul>
  )
}
