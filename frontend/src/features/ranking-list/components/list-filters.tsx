/** The filters of the list, in the panel behind the button. Loaded with the panel. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { ChoiceList } from '@/components/ui/choice-list'
import { Skeleton } from '@/components/ui/skeleton'
import { collatorOf } from '@/lib/i18n/format'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Tag } from '@/entities/tag/queries'
import { PRESENTED_IN, PROMOTIONS, type ListState } from '../model/list-state'
import { PROMOTION_KEYS } from '../model/promotion-keys'
import styles from './list-filters.module.css'

interface ListFiltersProps {
  state: ListState
  tags: UseQueryResult<Tag[]>
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

export function ListFilters({ state, tags, onChange }: ListFiltersProps) {
  const { t } = useTranslation('ranking-list')
  return (
    <div className={styles.filters}>
      <div className={styles.pair}>
        <ChoiceList
          titled
          label={t('prestige.label')}
          value={state.promotion}
          options={PROMOTIONS.map((value) => ({ value, label: t(`prestige.${PROMOTION_KEYS[value]}`) }))}
          onChange={(promotion) => onChange({ promotion })}
        />
        <ChoiceList
          titled
          label={t('language.label')}
          value={state.language}
          options={PRESENTED_IN.map((value) =>
            value === 'any'
              ? { value, label: t('language.any') }
              : { value, label: LANGUAGE_NAMES[value], lang: value },
          )}
          onChange={(language) => onChange({ language })}
        />
      </div>
      <section className={styles.tags} aria-labelledby="tag-filter-title">
        <h3 id="tag-filter-title" className={styles.title}>
          {t('tags.open')}
        </h3>
        <QueryStates
          query={tags}
          loading={
            <div className={styles.loading}>
              <Skeleton />
              <Skeleton />
              <Skeleton />
            </div>
          }
          failed={t('tags.failed')}
        >
          {(all) => <TagChoices tags={all} chosen={state.tags} onChange={(names) => onChange({ tags: names })} />}
        </QueryStates>
      </section>
    </div>
  )
}

/** A multiple choice of tags; a server matches if it has one of them. */
function TagChoices({
  tags,
  chosen,
  onChange,
}: {
  tags: Tag[]
  chosen: readonly string[]
  onChange: (names: string[]) => void
}) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const [typed, setTyped] = useState('')
  const searchText = plain(typed)
  const sorted = useMemo(() => {
    const order = collatorOf(language)
    return tags.toSorted((a, b) => order.compare(nameIn(a, language), nameIn(b, language)))
  }, [tags, language])
  const visibleTags = sorted.filter((tag) => plain(nameIn(tag, language)).includes(searchText))
  const toggle = (name: string, add: boolean) =>
    onChange(add ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <>
      <input
        type="search"
        className={styles.find}
        placeholder={t('tags.find')}
        aria-label={t('tags.find')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ul className={styles.choices}>
        {visibleTags.map((tag) => (
          <li key={tag.name}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                checked={chosen.includes(tag.name)}
                onChange={(event) => toggle(tag.name, event.target.checked)}
              />
              <span className={styles.swatch} style={{ background: tag.color }} />
              {nameIn(tag, language)}
            </label>
          </li>
        ))}
      </ul>
      {visibleTags.length === 0 && <p className={styles.note}>{t('tags.none')}</p>}
    </>
  )
}

/** Folds a text for searching: no case, no accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
