/** Remembers the outside account, and the purpose, while the browser visits the provider's page. */
import { readStored, writeStored } from '@/lib/browser/stored'

export interface Departure {
  purpose: 'signIn' | 'link'
  provider: string
}

const KEY = 'palmares.departure'

export function rememberDeparture(departure: Departure): void {
  writeStored(KEY, `${departure.purpose} ${departure.provider}`, 'session')
}

/** The provider that was visited for this purpose; forgotten after this call. */
export function departureFor(purpose: Departure['purpose']): string | null {
  const [userId, provider = null] = readStored(KEY, 'session')?.split(' ') ?? []
  if (userId !== purpose) return null
  writeStored(KEY, null, 'session')
  return provider
}
