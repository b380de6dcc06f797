/** The slug of the game that was last chosen in this browser. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.game'

export const readLastGame = (): string | null => readStored(KEY)

export const writeLastGame = (slug: string): void => writeStored(KEY, slug)
