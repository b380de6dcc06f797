import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '@/lib/i18n'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import { collatorOf } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { tagLabel, type Tag } from '../api/tags'
import styles from './tag-filter.module.css'

interface TagFilterProps {
  tags: UseQueryResult<Tag[]>
  chosen: readonly string[]
  onChange: (names: string[]) => void
}

/** Several tags at once; a server needs one of them. */
export function TagFilter({ tags, chosen, onChange }: TagFilterProps) {
  const { t } = useTranslation('ranking-list')
  return (
    <Popover
      label={t('tags.open')}
      className={styles.panel}
      trigger={(button) => (
        <Button {...button} icon="tag">
          {chosen.length > 0 ? t('tags.chosen', { count: chosen.length }) : t('tags.open')}
          <Icon name="chevron-down" size={16} />
        </Button>
      )}
    >
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
        {(all) => <TagChoices tags={all} chosen={chosen} onChange={onChange} />}
      </QueryStates>
    </Popover>
  )
}

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
  const wanted = plain(typed)
  const sorted = useMemo(() => {
    const order = collatorOf(language)
    return tags.toSorted((a, b) => order.compare(tagLabel(a, language), tagLabel(b, language)))
  }, [tags, language])
  const shown = sorted.filter((tag) => plain(tagLabel(tag, language)).includes(wanted))
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
        {shown.map((tag) => (
          <li key={tag.name}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                checked={chosen.includes(tag.name)}
                onChange={(event) => toggle(tag.name, event.target.checked)}
              />
              <span className={styles.swatch} style={{ background: tag.color }} />
              {tagLabel(tag, language)}
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.note}>{t('tags.none')}</p>}
    </>
  )
}

/** For finding: no case, no accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
