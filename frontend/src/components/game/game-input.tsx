import { Suspense } from 'react'
import { TextInput } from '@/components/ui/text-input'
import { lazyComponent } from '@/lib/browser/lazy'
import type { GameComboboxProps } from './game-combobox'

const GameCombobox = lazyComponent(async () => (await import('./game-combobox')).GameCombobox)

/** The component that chooses a game, in forms and above tables. */
export function GameInput(props: GameComboboxProps) {
  const { label, help, error, placeholder, games, value } = props
  const name = games.find(({ id }) => id === value)?.name ?? ''
  return (
    <Suspense fallback={<TextInput {...{ label, help, error, placeholder }} value={name} disabled readOnly />}>
      <GameCombobox {...props} />
    </Suspense>
  )
}
