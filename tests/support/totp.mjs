// The codes an authenticator app would show (RFC 6238), worked out with Node's own HMAC.
import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decoded(base32) {
  const bits = [...base32.replace(/=+$/, '')].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
}

/** The code of a secret, `steps` periods of 30 seconds from now. */
export function totp(secret, steps = 0) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', decoded(secret)).update(counter).digest()
  const offset = mac.at(-1) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
