// What operators configure: mail templates, notices, hooks and forwarded headers.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { PASSWORD, SITE, startAuth, errorFields } from '../support/auth.mjs'
import { eventually, scratchFolder } from '../support/server.mjs'
import { codeOf, linkOf } from '../support/smtp.mjs'
import { totp } from '../support/totp.mjs'

const SECRET = Buffer.from('a secret of thirty two characters').toString('base64')

/** An operator's server: a mail template at one address, hooks at the others. */
async function startOperator() {
  const calls = []
  let answer = () => ({})
  const http = createServer(async (request, response) => {
    if (request.url === '/template') return response.end('<p>Fetched for {{ .Email }}: {{ .Token }}</p>')
    if (request.url.startsWith('/range/')) return response.end('1E4C9B93F3F0682250B6CF8331B7EE68FD8:42\r\n')
    let body = ''
    for await (const chunk of request) body += chunk
    const id = request.headers['webhook-id']
    const signed = createHmac('sha256', Buffer.from(SECRET, 'base64'))
      .update(`${id}.${request.headers['webhook-timestamp']}.${body}`)
      .digest('base64')
    const entry = { name: request.url.slice(1), payload: JSON.parse(body), signed: request.headers['webhook-signature'] === `v1,${signed}` }
    calls.push(entry)
    const replied = answer(entry)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(replied))
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    calls,
    answering: (next) => (answer = next),
    stop: () => new Promise((resolve) => (http.close(resolve), http.closeAllConnections())),
  }
}

const hook = (name, url) => ({
  [`GOTRUE_HOOK_${name.toUpperCase()}_ENABLED`]: 'true',
  [`GOTRUE_HOOK_${name.toUpperCase()}_URI`]: `${url}/${name}`,
  [`GOTRUE_HOOK_${name.toUpperCase()}_SECRETS`]: `v1,whsec_${SECRET}`,
})

describe('templates and notices', () => {
  let world
  let operator
  let folder
  const auth = () => world.client().auth

  before(async () => {
    operator = await startOperator()
    folder = scratchFolder()
    writeFileSync(join(folder.path, 'invite.html'), '<p>Come in, {{ .Data.name }}: {{ .ConfirmationURL }}</p>')
    const notices = ['PASSWORD_CHANGED', 'EMAIL_CHANGED', 'MFA_FACTOR_ENROLLED', 'MFA_FACTOR_UNENROLLED']
    world = await startAuth({
      env: {
        GOTRUE_MAILER_SUBJECTS_CONFIRMATION: 'Please confirm, {{ .Data.name }}',
        GOTRUE_MAILER_TEMPLATES_CONFIRMATION: '<p>{{ if eq .Data.lang "fr" }}Bonjour{{ else }}Hello{{ end }} {{ .Token }}</p>',
        GOTRUE_MAILER_TEMPLATES_INVITE: join(folder.path, 'invite.html'),
        GOTRUE_MAILER_TEMPLATES_RECOVERY: `${operator.url}/template`,
        GOTRUE_MAILER_URLPATHS_INVITE: '/welcome',
        GOTRUE_MAILER_EXTERNAL_HOSTS: 'id.site.test',
        GOTRUE_SMTP_HEADERS: '{"X-Kind":["$messageType"]}',
        GOTRUE_PASSWORD_HIBP_ENABLED: 'true',
        COMPAT_HIBP_URL: operator.url,
        ...Object.fromEntries(notices.map((name) => [`GOTRUE_MAILER_NOTIFICATIONS_${name}_ENABLED`, 'true'])),
      },
    })
  })
  after(async () => {
    await world?.stop()
    await operator?.stop()
    folder?.remove()
  })

  test('templates load from setting, file and URL', async () => {
    await auth().signUp({ email: 'inline@example.org', password: PASSWORD, options: { data: { name: 'Ada', lang: 'fr' } } })
    const inline = await world.mail.next('inline@example.org')
    assert.equal(inline.subject, 'Please confirm, Ada')
    assert.match(inline.html, /^<p>Bonjour \d{6}<\/p>/)
    assert.equal(inline.headers['x-kind'], 'confirmation')

    await world.admin.inviteUserByEmail('file@example.org', { data: { name: 'Grace' } })
    const file = await world.mail.next('file@example.org')
    assert.match(file.html, /Come in, Grace: .*\/auth\/v1\/welcome\?token=/)

    await world.person('address@example.org')
    const fetched = await eventually(async () => {
      await auth().resetPasswordForEmail('address@example.org')
      const mail = await world.mail.next('address@example.org')
      return mail.html.startsWith('<p>Fetched') && mail
    })
    assert.match(fetched.html, /^<p>Fetched for address@example.org: \d{6}<\/p>/)
  })

  test('links use a forwarded host only if allowed', async () => {
    const email = 'forwarded@example.org'
    await world.person(email)
    const ask = (host) =>
      fetch(`${world.server.url}/auth/v1/magiclink`, {
        method: 'POST',
        headers: {
          'x-forwarded-host': host,
          'x-forwarded-proto': 'http',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email }),
      })
    await ask('evil.test')
    const first = await world.mail.next(email)
    assert.equal(linkOf(first).origin, world.server.url)
    await ask('id.site.test')
    assert.equal(linkOf(await world.mail.next(email, { after: first })).origin, 'https://id.site.test')
  })

  test('people get notices of changes to their account', async () => {
    const email = 'told@example.org'
    const { auth: person } = await world.person(email)
    await person.updateUser({ password: 'another passphrase' })
    let mail = await world.mail.next(email)
    assert.equal(mail.subject, 'Your password has been changed')
    const { data: factor } = await person.mfa.enroll({ factorType: 'totp' })
    await person.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret) })
    mail = await world.mail.next(email, { after: mail })
    assert.equal(mail.subject, 'Two-step verification has been added')
    await person.mfa.unenroll({ factorId: factor.id })
    mail = await world.mail.next(email, { after: mail })
    assert.equal(mail.subject, 'Two-step verification has been removed')
    await person.updateUser({ email: 'told-anew@example.org' })
    mail = await world.mail.next(email, { after: mail })
    const code = codeOf(await world.mail.next('told-anew@example.org'))
    await person.verifyOtp({ email, token: codeOf(mail), type: 'email_change' })
    await person.verifyOtp({ email: 'told-anew@example.org', token: code, type: 'email_change' })
    const notice = await world.mail.next(email, { after: mail })
    assert.equal(notice.subject, 'Your email address has been changed')
    assert.match(notice.text, /told@example\.org to told-anew@example\.org/)
  })

  test('leaked password is refused with its reason', async () => {
    const { error } = await auth().signUp({ email: 'pwned@example.org', password: 'password' })
    assert.equal(error.code, 'weak_password')
    assert.deepEqual(error.reasons, ['pwned'])
  })
})

describe('hooks', () => {
  let world
  let operator
  const auth = () => world.client().auth
  const last = (name) => operator.calls.filter((entry) => entry.name === name).at(-1)

  before(async () => {
    operator = await startOperator()
    const names = ['send_email', 'send_sms', 'before_user_created', 'after_user_created', 'custom_access_token']
    world = await startAuth({
      env: {
        ...Object.assign({}, ...names.map((name) => hook(name, operator.url))),
        GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
        GOTRUE_SMS_MAX_FREQUENCY: '0s',
      },
    })
    operator.answering(({ name, payload }) => {
      if (name === 'custom_access_token') return { claims: { ...payload.claims, plan: 'gold' } }
      if (name === 'before_user_created' && payload.user.email.startsWith('unwanted'))
        return { error: { http_code: 403, message: 'Not this one' } }
      return {}
    })
  })
  after(async () => {
    await world?.stop()
    await operator?.stop()
  })

  test('send mails instead of the server', async () => {
    const email = 'hooked@example.org'
    await auth().signUp({ email, password: PASSWORD, options: { emailRedirectTo: `${SITE}/in` } })
    const { payload, signed } = last('send_email')
    assert.ok(signed)
    assert.equal(payload.user.email, email)
    assert.equal(payload.email_data.email_action_type, 'signup')
    assert.equal(payload.email_data.redirect_to, `${SITE}/in`)
    assert.equal(world.mail.to(email).length, 0)
    const { data, error } = await auth().verifyOtp({ email, token: payload.email_data.token, type: 'signup' })
    assert.equal(error, null)
    assert.equal(data.user.email, email)
  })

  test('receive both codes of an e-mail change', async () => {
    const { auth: person } = await world.person('crossed@example.org')
    await person.updateUser({ email: 'uncrossed@example.org' })
    const { email_data: emailData } = last('send_email').payload
    assert.equal(emailData.email_action_type, 'email_change')
    const half = await auth().verifyOtp({ token_hash: emailData.token_hash, type: 'email_change' })
    assert.equal(half.error, null)
    const verified = await auth().verifyOtp({ email: 'crossed@example.org', token: emailData.token, type: 'email_change' })
    assert.equal(verified.data.user.email, 'uncrossed@example.org')
  })

  test('send text messages instead of the server', async () => {
    const phone = '+15550177'
    assert.equal((await auth().signInWithOtp({ phone })).error, null)
    const { payload } = last('send_sms')
    assert.equal(payload.user.phone, '15550177')
    assert.equal(payload.sms.phone, '15550177')
    const { error } = await auth().verifyOtp({ phone, token: payload.sms.otp, type: 'sms' })
    assert.equal(error, null)
  })

  test('add claims, see new accounts and refuse them', async () => {
    const email = 'claims@example.org'
    const person = auth()
    const { data } = await person.signUp({ email, password: PASSWORD })
    assert.equal(last('after_user_created').payload.user.id, data.user.id)
    assert.equal(last('before_user_created').payload.user.email, email)
    await person.verifyOtp({ email, token: last('send_email').payload.email_data.token, type: 'signup' })
    assert.equal((await person.getClaims()).data.claims.plan, 'gold')
    const refused = await auth().signUp({ email: 'unwanted@example.org', password: PASSWORD })
    assert.deepEqual(errorFields(refused.error), { status: 403, code: 'unknown', message: 'Not this one' })
  })
})
