import { Button, ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { NOTHING_CHOSEN, isFiltered, type ListState } from '../model/list-state'

interface EmptyListProps {
  state: ListState
  onClear: (change: Partial<Omit<ListState, 'page'>>) => void
}

/** Why a list is empty, and what to do about it. */
export function EmptyList({ state, onClear }: EmptyListProps) {
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
          <Button variant="primary" icon={kind === 'rising' ? 'trophy' : 'close'} onClick={clear}>
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
        <ButtonLink variant="primary" icon="plus" to={paths.addServer(language)}>
          {t('empty.add')}
        </ButtonLink>
      }
    >
      {t('empty.text')}
    </StateMessage>
  )
}
