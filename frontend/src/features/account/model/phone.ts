/** A telephone number as the service takes it: E.164, a plus and 7 to 15 digits. Null when it cannot be one. */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null
}

/** The last digits, which tell a person which phone it is and a stranger little. */
export function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `•••• ${digits.slice(-4)}`
}
