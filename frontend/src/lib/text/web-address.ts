import { decodeStored } from './stored-text'

/** An owner's link as a safe address; null for other schemes than http and https. */
export function webAddress(stored: string | null | undefined): string | null {
  const text = decodeStored(stored ?? '').trim()
  if (text === '') return null
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}
