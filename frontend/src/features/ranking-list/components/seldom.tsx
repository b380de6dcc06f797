/** What most visits to a list never show, fetched together when one does. */
import { useDeferredValue } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { nameIn } from '@/lib/i18n/translated-name'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import type { RunningEvent } from '../api/servers'
import type { Tag } from '@/entities/tag/queries'
import { NOTHING_CHOSEN, isFiltered, type ListState } from '../model/list-state'
import { PROMOTION_KEYS } from '../model/promotion-keys'
import toolbar from './list-toolbar.module.css'
import styles from './ranking-list.module.css'

/** From a game's running ranking to those that are over. */
export function HallLink({ game }: { game: string }) {
  const { t } = useTranslation('ranking-list')
  return (
    <ButtonLink to={paths.gameHall(useLanguage(), { game })} icon="trophy" className={styles.hall}>
      {t('hall')}
    </ButtonLink>
  )
}

/** From the running event's ranking to what it is about. */
export function EventLink({ event }: { event: RunningEvent }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  return (
    <ButtonLink to={paths.competitiveEvent(language, { eventId: event.id })} icon="trophy" className={styles.hall}>
      {t('event', { name: nameIn(event, language) })}
    </ButtonLink>
  )
}

/** Says that places changed while the list holds still, and offers to show them. */
export function MovedNotice({ onShow }: { onShow: () => void }) {
  const { t } = useTranslation('ranking-list')
  // What is there from the beginning is not read out.
  const isRead = useDeferredValue(true, false)
  return (
    <div className={styles.moved} role="status">
      {isRead && (
        <>
          {t('moved.text')}
          <Button size="small" onClick={onShow}>
            {t('moved.show')}
          </Button>
        </>
      )}
    </div>
  )
}

interface ChosenProps {
  tags: Tag[] | undefined
  state: ListState
  onChange: (change: Partial<Omit<ListState, 'page'>>) => void
}

/** What narrows the list, each to be taken away by itself. */
export function Chosen({ tags, state, onChange }: ChosenProps) {
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
  /** What a press does, in words. */
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

interface EmptyProps {
  state: ListState
  onClear: (change: Partial<Omit<ListState, 'page'>>) => void
}

/** Why a list is empty, and what to do about it. */
export function Empty({ state, onClear }: EmptyProps) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  const kind = isFiltered(state) ? 'filtered' : state.sort === 'rising' ? 'rising' : null
  const clear = () => onClear(kind === 'rising' ? { sort: 'default' } : NOTHING_CHOSEN)
  if (kind !== null)
    return (
      <StateMessage
        drawing="empty"
        title={t(`empty.${kind}Title`)}
        actions={
          <Button look="primary" icon={kind === 'rising' ? 'trophy' : 'close'} onClick={clear}>
            {t(`empty.${kind}Clear`)}
          </Button>
        }
      >
        {t(`empty.${kind}Text`)}
      </StateMessage>
    )
  return (
    <StateMessage
      drawing="empty"
      title={t('empty.title')}
      actions={
        <ButtonLink look="primary" icon="plus" to={paths.addServer(language)}>
          {t('empty.add')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}
