// @vitest-environment node
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as deriveOnServer } from 'altcha-lib/algorithms/pbkdf2'
import { expect, it } from 'vitest'
import { deriveInScript, deriveKey } from './derive-key'

const SECRETS = { hmacSignatureSecret: 'a', hmacKeySignatureSecret: 'b' }

it.each([
  ['PBKDF2/SHA-256', deriveKey],
  ['PBKDF2/SHA-256', deriveInScript],
  ['PBKDF2/SHA-512', deriveInScript],
])('a %s challenge is solved and verified', async (algorithm, derive) => {
  const challenge = await createChallenge({ algorithm, cost: 100, counter: 12, deriveKey: deriveOnServer, ...SECRETS })
  const solution = await solveChallenge({ challenge, deriveKey: derive })
  if (solution === null) throw new Error('not solved')
  expect(solution.counter).toBe(12)
  const verdict = await verifySolution({ challenge, solution, deriveKey: deriveOnServer, ...SECRETS })
  expect(verdict.verified).toBe(true)
})

it('refuses an algorithm it cannot compute', async () => {
  const parameters = { algorithm: 'SCRYPT', nonce: '', salt: '', cost: 1, keyLength: 32, keyPrefix: '00' }
  await expect(deriveInScript(parameters, new Uint8Array(), new Uint8Array())).rejects.toThrow('Unsupported algorithm')
})
