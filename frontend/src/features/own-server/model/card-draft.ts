/** What a card shows of a server that is being written: the values of a form, and what is known besides. */
import type { FormGame, FormTag } from '../api/catalogue'
import type { OwnServer } from '../api/own-server'
import type { ServerValues } from './server-form'

export interface CardDraft {
  values: Partial<ServerValues>
  game: FormGame | undefined
  tags: FormTag[] | undefined
  /** As it is kept; null for a server that is new. */
  row: OwnServer | null
  /** The place it has, or begins at. */
  place: number
  isPrestige: boolean
}
