/** Remembers, for the way to a provider's page and back, which outside account one left for, and why. */

export interface Departure {
  purpose: 'signIn' | 'link'
  provider: string
}

const KEY = 'palmares.departure'

export function rememberDeparture(departure: Departure): void {
  try {
    sessionStorage.setItem(KEY, `${departure.purpose} ${departure.provider}`)
  } catch {
    // Without storage the page only says less afterwards.
  }
}

/** The provider that was left for with this purpose; told once. */
export function departureFor(purpose: Departure['purpose']): string | null {
  try {
    const [kept, provider = null] = sessionStorage.getItem(KEY)?.split(' ') ?? []
    if (kept !== purpose) return null
    sessionStorage.removeItem(KEY)
    return provider
  } catch {
    return null
  }
}
