/** The nickname this browser last voted with. */
import { readStored, writeStored } from './stored'

const KEY = 'palmares.nickname'

export function rememberedNickname(): string {
  return readStored(KEY) ?? ''
}

export function rememberNickname(name: string): void {
  writeStored(KEY, name)
}
