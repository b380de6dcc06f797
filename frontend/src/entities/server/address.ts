/** Whether there is an address, and not a word that stands for none. */
export function isKnownAddress(address: string): boolean {
  return !['', 'n/a', '{ip}'].includes(address.trim().toLowerCase())
}

/** Whether a server's address is worth showing: short, real, and not a line of configuration. */
export function isShownAddress(address: string | null | undefined): address is string {
  const text = address?.trim() ?? ''
  if (text === '' || [...text].length >= 30) return false
  const lower = text.toLowerCase()
  return lower !== 'n/a' && lower !== '{ip}' && !lower.includes('set realmlist') && !lower.includes('logon.')
}
