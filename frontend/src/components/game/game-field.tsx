import { useField, type FormFieldLook } from '@/components/form/use-field'
import type { GameChoice } from './game-order'
import { GameInput } from './game-input'

interface GameFieldProps extends FormFieldLook {
  games: readonly GameChoice[]
  /** Stands in the field while nothing is chosen. */
  placeholder?: string
}

/** A game in a form; its value is the game's id. */
export function GameField({ games, placeholder, ...look }: GameFieldProps) {
  const field = useField<string | undefined>(look)
  const { name, label, ...frame } = field.frame
  return (
    <GameInput
      {...frame}
      {...(placeholder !== undefined && { placeholder })}
      label={label}
      name={name}
      inputRef={field.ref}
      required={!look.optional}
      games={games}
      value={field.value ?? ''}
      onValueChange={field.change}
      onBlur={field.leave}
    />
  )
}
