/** The game that was last chosen in this browser, as its slug. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.game'

export const keptGame = (): string | null => readStored(KEY)

export const keepGame = (slug: string): void => writeStored(KEY, slug)
