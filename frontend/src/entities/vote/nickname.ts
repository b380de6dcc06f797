/** The initial nickname of a vote. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.nickname'

/**
 * The nickname of this browser's last vote, unless the link names a player, as links of widgets do.
 */
export function rememberedNickname(): string {
  return new URLSearchParams(window.location.search).get('nickname')?.trim() || (readStored(KEY) ?? '')
}

export function rememberNickname(name: string): void {
  writeStored(KEY, name)
}
