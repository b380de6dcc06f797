/**
 * Parses a phone number into the service's format: E.164, a plus and 7 to 15 digits. Null when it
 * is invalid.
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null
}

/** The last digits, by which a person recognizes a phone, and which reveal little to others. */
export function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `•••• ${digits.slice(-4)}`
}
