/**
 * Whether a server's address is worth showing on a card: short, real, and not a line of
 * configuration.
 */
export function isShownAddress(address: string | null): address is string {
  const text = address?.trim() ?? ''
  if (text === '' || text === 'N/A' || text.includes('{ip}') || text.length >= 30) return false
  return !/set realmlist|logon\./i.test(text)
}
