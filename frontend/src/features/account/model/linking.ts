/** Remembers, for the way to a provider's page and back, which outside account was to be joined. */

const KEY = 'palmares.linking'

export function rememberLinking(provider: string): void {
  try {
    sessionStorage.setItem(KEY, provider)
  } catch {
    // Without storage the page only says less afterwards.
  }
}

/** The provider that was left for, once. */
export function linkingNow(): string | null {
  try {
    const provider = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return provider
  } catch {
    return null
  }
}
