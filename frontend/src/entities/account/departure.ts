/** Remembers, for the way to a provider's page and back, which outside account one left for, and why. */
import { readStored, writeStored } from '@/lib/browser/stored'

export interface Departure {
  purpose: 'signIn' | 'link'
  provider: string
}

const KEY = 'palmares.departure'

export function rememberDeparture(departure: Departure): void {
  writeStored(KEY, `${departure.purpose} ${departure.provider}`, 'session')
}

/** The provider that was left for with this purpose; told once. */
export function departureFor(purpose: Departure['purpose']): string | null {
  const [kept, provider = null] = readStored(KEY, 'session')?.split(' ') ?? []
  if (kept !== purpose) return null
  writeStored(KEY, null, 'session')
  return provider
}
