// A committed mail is delivered even if the process that committed it is killed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { scratchFolder, startServer } from '../support/server.mjs'
import { linkOf, startMailServer } from '../support/smtp.mjs'

/** An SMTP relay that accepts connections and never answers. */
async function startSilentRelay() {
  const sockets = new Set()
  const relay = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    port: relay.address().port,
    called: once(relay, 'connection'),
    async stop() {
      for (const socket of sockets) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}

test('undelivered mail is sent after kill and restart', async (t) => {
  const folder = scratchFolder()
  // Ends in reverse order of start, so that no folder of a running server is removed.
  const cleanups = [folder.remove]
  t.after(async () => {
    for (const end of cleanups.reverse()) await end()
  })
  const relay = await startSilentRelay()
  const start = (env) =>
    startServer({
      name: 'supabase-compat',
      args: ['--only', 'auth'],
      dataDir: folder.path,
      env: { ...env, GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING: 'true' },
    })
  const silent = { GOTRUE_SMTP_HOST: '127.0.0.1', GOTRUE_SMTP_PORT: String(relay.port), GOTRUE_SMTP_ADMIN_EMAIL: 'admin@site.test' }
  const killed = await start(silent)
  const signedUp = await fetch(`${killed.url}/signup`, {
    method: 'POST',
    headers: { apikey: killed.keys.ANON_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@people.test', password: 'correct horse' }),
  })
  assert.equal(signedUp.status, 200)
  await relay.called
  await killed.kill()
  await relay.stop()

  const mails = await startMailServer()
  cleanups.push(mails.stop)
  const restarted = await start(mails.env)
  cleanups.push(restarted.stop)
  // Until the lease ends, the killed process counts as still delivering the mail.
  const mail = await mails.next('ada@people.test')
  const link = new URL(linkOf(mail))
  const followed = await fetch(`${restarted.url}/verify${link.search}`, { redirect: 'manual' })
  assert.equal(followed.status, 303)
  assert.match(followed.headers.get('location'), /access_token=/)
})
