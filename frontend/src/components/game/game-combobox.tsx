import { useMemo, useState } from 'react'
import { Combobox, type ComboboxProps } from '@/components/ui/combobox'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { containing, inOrder, type GameChoice } from './game-order'

export interface GameComboboxProps extends Omit<
  ComboboxProps,
  'value' | 'onValueChange' | 'options' | 'onSearch' | 'state' | 'onRetry'
> {
  games: readonly GameChoice[]
  /** The id of the chosen game; empty for none. */
  value: string
  onValueChange: (id: string) => void
}

/** A combobox for one game. Large: use it through `game-input`, which loads it lazily. */
export function GameCombobox({ games, value, onValueChange, ...props }: GameComboboxProps) {
  const { t } = useTranslation('games')
  const language = useLanguage()
  const [typed, setTyped] = useState('')
  const ordered = useMemo(() => inOrder(games, language), [games, language])
  const optionOf = ({ id, name, game_figures }: GameChoice) => {
    const servers = game_figures?.servers ?? 0
    const note = t('counted', { count: servers, formatted: formatNumber(servers, language) })
    return { value: id, label: name, ...(servers > 0 && { note }) }
  }
  const chosen = games.find(({ id }) => id === value)
  // The name of the chosen game does not count as a search, so all other games stay in the list.
  const searchText = typed === chosen?.name ? '' : typed
  return (
    <Combobox
      {...props}
      value={chosen ? optionOf(chosen) : null}
      onValueChange={(option) => {
        setTyped('')
        onValueChange(option?.value ?? '')
      }}
      options={containing(ordered, searchText).map(optionOf)}
      onSearch={setTyped}
    />
  )
}
