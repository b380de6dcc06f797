import { useField, type FormFieldProps } from '@/components/form/use-field'
import type { GameChoice } from './game-order'
import { GameInput } from './game-input'

interface GameFieldProps extends FormFieldProps {
  games: readonly GameChoice[]
  /** Shown while no game is chosen. */
  placeholder?: string
}

/** A form field for a game; its value is the game's id. */
export function GameField({ games, placeholder, ...props }: GameFieldProps) {
  const field = useField<string | undefined>(props)
  const { name, label, ...frame } = field.frame
  return (
    <GameInput
      {...frame}
      {...(placeholder !== undefined && { placeholder })}
      label={label}
      name={name}
      inputRef={field.ref}
      required={!props.optional}
      games={games}
      value={field.value ?? ''}
      onValueChange={field.change}
      onBlur={field.leave}
    />
  )
}
