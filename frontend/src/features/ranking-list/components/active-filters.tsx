import { Icon } from '@/components/ui/icon'
import type { Tag } from '@/entities/tag/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import { NOTHING_CHOSEN, type ListState } from '../model/list-state'
import { PROMOTION_KEYS } from '../model/promotion-keys'
import toolbar from './list-toolbar.module.css'

interface ActiveFiltersProps {
  tags: Tag[] | undefined
  state: ListState
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

/** The filters of the list, each with a button that removes it. */
export function ActiveFilters({ tags, state, onChange }: ActiveFiltersProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const label = (name: string) => {
    const tag = tags?.find((candidate) => candidate.name === name)
    return tag ? nameIn(tag, language) : name
  }
  return (
    <ul className={toolbar.chosen}>
      {state.text !== '' && (
        <Chip
          label={t('text.chosen', { text: state.text })}
          remove={() => t('text.remove', { text: state.text })}
          onRemove={() => onChange({ text: '' })}
        />
      )}
      {state.promotion !== 'all' && (
        <Chip
          label={t(`prestige.${PROMOTION_KEYS[state.promotion]}`)}
          remove={(filter) => t('filters.remove', { filter })}
          onRemove={() => onChange({ promotion: 'all' })}
        />
      )}
      {state.language !== 'any' && (
        <Chip
          label={LANGUAGE_NAMES[state.language]}
          remove={(filter) => t('filters.remove', { filter })}
          onRemove={() => onChange({ language: 'any' })}
        />
      )}
      {state.tags.map((name) => (
        <Chip
          key={name}
          label={label(name)}
          remove={(tag) => t('tags.remove', { tag })}
          onRemove={() => onChange({ tags: state.tags.filter((other) => other !== name) })}
        />
      ))}
      <li>
        <button type="button" className={toolbar.clear} onClick={() => onChange(NOTHING_CHOSEN)}>
          {t('tags.clear')}
        </button>
      </li>
    </ul>
  )
}

interface ChipProps {
  label: string
  /** The label of the button. */
  remove: (label: string) => string
  onRemove: () => void
}

function Chip({ label, remove, onRemove }: ChipProps) {
  return (
    <li>
      <button type="button" className={toolbar.chip} aria-label={remove(label)} onClick={onRemove}>
        {label}
        <Icon name="close" size={14} />
      </button>
    </li>
  )
}
