// Stands in for the standard library's encoding/base64.
const bytes = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data))

export function encodeBase64(data) {
  let text = ''
  for (const byte of bytes(data)) text += String.fromCharCode(byte)
  return btoa(text)
}

export const decodeBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
export { encodeBase64 as encode, decodeBase64 as decode }
