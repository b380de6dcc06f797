// Accounts of the demonstration on the French pages.
import assert from 'node:assert/strict'

import { createClient } from './client.mjs'

/** Where the pages keep a session: `SESSION_STORAGE_KEY` of `lib/session/session-store`. */
const SESSION_STORAGE_KEY = 'palmares-session'

/**
 * Signs an account in as if on an earlier visit: the session is stored in the browser before a page of the site opens.
 * `sign-in.test.mjs` tests the dialog.
 */
export async function signInAs(page, server, email) {
  const client = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await client.auth.signInWithPassword({ email, password: 'palmares-demo' })
  assert.equal(error, null)
  // Storage belongs to an origin, and this is the origin's smallest document.
  await page.goto('/robots.txt')
  await page.evaluate(([key, session]) => localStorage.setItem(key, session), [SESSION_STORAGE_KEY, JSON.stringify(data.session)])
}
