// Every public method of the published auth-js is called by a test in this folder.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

import { AuthClient } from '@supabase/supabase-js'

// Members that TypeScript declares private are not part of the public interface.
const declared = fileURLToPath(import.meta.resolve('@supabase/auth-js')).replace(/dist.*/, 'dist/module/GoTrueClient.d.ts')
const hidden = new Set([...readFileSync(declared, 'utf8').matchAll(/^ +private (\w+)/gm)].map(([, name]) => name))

const folder = fileURLToPath(new URL('.', import.meta.url))
const otherFiles = readdirSync(folder).filter((name) => /^auth.*\.test\.mjs$/.test(name) && name !== 'auth-methods.test.mjs')
const written = otherFiles.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n')

/** Methods that the services do not support, as docs/compatibility.md says. */
const MISSING = ['mfa.recoveryCodes']

/** The methods of a client and of its nested objects. */
function methodsOf(thing, path) {
  const ownMembers = Object.entries(thing).filter(([name]) => !name.startsWith('_'))
  const direct = ownMembers.filter(([, value]) => typeof value === 'function').map(([name]) => `${path}.${name}`)
  const prototype = Object.getOwnPropertyNames(Object.getPrototypeOf(thing)).filter((name) => !hidden.has(name))
  const inherited = prototype.filter((name) => !/^(_|constructor$)/.test(name) && typeof thing[name] === 'function')
  return [...direct, ...inherited.map((name) => `${path}.${name}`)]
}

test('no public method is left out', () => {
  const auth = new AuthClient({ url: 'http://localhost', autoRefreshToken: false, persistSession: false, experimental: { passkey: true } })
  const all = [
    ...methodsOf(auth, 'auth').filter((name) => !/\.(fetch|lock|logger)$/.test(name)),
    ...Object.keys(auth.mfa).filter((name) => name !== 'webauthn').map((name) => `mfa.${name}`),
    ...Object.keys(auth.oauth).map((name) => `oauth.${name}`),
    ...Object.keys(auth.passkey).map((name) => `passkey.${name}`),
    ...methodsOf(auth.admin, 'admin').filter((name) => !/\.(fetch)$/.test(name)),
    ...Object.keys(auth.admin.mfa).map((name) => `mfa.${name}`),
    ...Object.keys(auth.admin.oauth).map((name) => `oauth.${name}`),
    ...Object.keys(auth.admin.customProviders).map((name) => `customProviders.${name}`),
    ...Object.keys(auth.admin.passkey).map((name) => `passkey.${name}`),
  ]
  assert.ok(all.length > 60, `only ${all.length} methods were found`)
  const driven = (name) => written.includes(`.${name.split('.').pop()}(`)
  assert.deepEqual(all.filter((name) => !driven(name)), MISSING)
  const compatibilityText = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8')
  for (const name of MISSING) assert.match(compatibilityText, new RegExp(`\\\`${name}\\\`.*\\| missing \\|`), name)
})
