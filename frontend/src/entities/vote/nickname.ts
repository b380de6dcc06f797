/** The nickname a vote begins with. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.nickname'

/** The one this browser last voted with; a link that names a player, as widgets do, knows better. */
export function rememberedNickname(): string {
  return new URLSearchParams(window.location.search).get('nickname')?.trim() || (readStored(KEY) ?? '')
}

export function rememberNickname(name: string): void {
  writeStored(KEY, name)
}
