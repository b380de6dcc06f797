// Stands in for the standard library's encoding/hex.
const bytes = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data))

export const encodeHex = (data) => Array.from(bytes(data), (byte) => byte.toString(16).padStart(2, '0')).join('')

export function decodeHex(text) {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new TypeError('not hexadecimal digits in pairs')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
