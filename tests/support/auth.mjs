// auth/v1 for the tests of its clients: a server, an SMTP server for its mails, and accounts.
import assert from 'node:assert/strict'
import { createClient } from './client.mjs'
import { startServer } from './server.mjs'
import { startMailServer } from './smtp.mjs'

export const PASSWORD = 'correct horse battery'
export const SITE = 'http://site.test'

/**
 * Starts an SMTP server and the services; `env` may be a function of the mail server.
 * @returns the servers, and functions that make clients and accounts
 */
export async function startAuth({ env = {}, args = [], ...options } = {}) {
  const mail = await startMailServer()
  const server = await startServer({
    name: 'supabase-compat',
    args,
    env: {
      GOTRUE_SITE_URL: SITE,
      GOTRUE_URI_ALLOW_LIST: `${SITE}/**`,
      GOTRUE_SMTP_MAX_FREQUENCY: '0s',
      GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000000',
      ...mail.env,
      ...env,
    },
    ...options,
  })
  const client = (auth, key = server.keys.ANON_KEY) => createClient(server.url, key, { auth })
  const admin = client({}, server.keys.SERVICE_ROLE_KEY).auth.admin
  return {
    mail,
    server,
    client,
    admin,
    /** A client that uses PKCE, which needs somewhere to keep its verifier. */
    pkceClient: () => client({ flowType: 'pkce', persistSession: true, storage: memory(), detectSessionInUrl: false }),
    /** A signed-in account with a confirmed address. */
    async person(email, attributes = {}) {
      const made = await admin.createUser({ email, password: PASSWORD, email_confirm: true, ...attributes })
      assert.equal(made.error, null)
      const person = client()
      const { data, error } = await person.auth.signInWithPassword({ email, password: PASSWORD })
      assert.equal(error, null)
      return { person, auth: person.auth, user: data.user, session: data.session }
    },
    async stop() {
      await server.stop()
      await mail.stop()
    },
  }
}

/** An in-memory replacement for the browser's localStorage. */
export function memory() {
  const items = new Map()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/** Opens a link and returns the target of its redirect, without following it. */
export async function follow(link) {
  const response = await fetch(link, { redirect: 'manual' })
  assert.ok([302, 303].includes(response.status), `${response.status} ${await response.text()}`)
  const place = new URL(response.headers.get('location'))
  return { place, query: place.searchParams, fragment: new URLSearchParams(place.hash.slice(1)) }
}

/** The parts of a client's error that applications match on. */
export const errorFields = (error) => error && { status: error.status, code: error.code, message: error.message }
