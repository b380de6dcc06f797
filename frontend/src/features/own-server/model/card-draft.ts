/** The data of a preview card: the values of a form, and what is known besides. */
import type { Game } from '@/entities/game/queries'
import type { Tag } from '@/entities/tag/queries'
import type { OwnServer } from '../api/own-server'
import type { ServerValues } from './server-form'

export interface CardDraft {
  values: Partial<ServerValues>
  game: Game | undefined
  tags: Tag[] | undefined
  /** The stored row; null for a new server. */
  row: OwnServer | null
  /** The current place, or the initial one. */
  place: number
  isPrestige: boolean
}
