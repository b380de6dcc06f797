/** What a card shows of a server that is being written: the values of a form, and what is known besides. */
import type { Game } from '@/entities/game/queries'
import type { Tag } from '@/entities/tag/queries'
import type { OwnServer } from '../api/own-server'
import type { ServerValues } from './server-form'

export interface CardDraft {
  values: Partial<ServerValues>
  game: Game | undefined
  tags: Tag[] | undefined
  /** As it is kept; null for a server that is new. */
  row: OwnServer | null
  /** The place it has, or begins at. */
  place: number
  isPrestige: boolean
}
