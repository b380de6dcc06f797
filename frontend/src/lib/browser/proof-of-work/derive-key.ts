/**
 * The key derivations challenges are made of. Pages that came over plain HTTP have no `crypto.subtle`;
 * there the same is computed in script, some times slower.
 */
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import type { ChallengeParameters, DeriveKeyFunctionResult } from 'altcha-lib/types'
import { deriveKey as deriveByPbkdf2 } from 'altcha-lib/algorithms/web/pbkdf2'
import { deriveKey as deriveBySha } from 'altcha-lib/algorithms/web/sha'

const PREFIX = 'PBKDF2/'
const HASHES = { 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 } as const

export function deriveKey(
  parameters: ChallengeParameters,
  salt: Uint8Array,
  password: Uint8Array,
): Promise<DeriveKeyFunctionResult> {
  if (crypto.subtle === undefined) return deriveInScript(parameters, salt, password)
  return parameters.algorithm.startsWith(PREFIX)
    ? deriveByPbkdf2(parameters, salt, password)
    : deriveBySha(parameters, salt, password)
}

/** The slow way; PBKDF2 only, which is what our server asks for. */
export async function deriveInScript(
  { algorithm, cost, keyLength }: ChallengeParameters,
  salt: Uint8Array,
  password: Uint8Array,
): Promise<DeriveKeyFunctionResult> {
  const name = algorithm.slice(PREFIX.length)
  if (!algorithm.startsWith(PREFIX) || !isHash(name)) throw new Error(`Unsupported algorithm: ${algorithm}`)
  const derivedKey = await pbkdf2Async(HASHES[name], password, salt, { c: cost, dkLen: keyLength })
  return { parameters: {}, derivedKey }
}

function isHash(name: string): name is keyof typeof HASHES {
  return Object.hasOwn(HASHES, name)
}
