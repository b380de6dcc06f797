// Payments from outside: supabase-js orders, payers pay on the test page or at a stand-in for Stripe, and webhooks are
// signed by Stripe's own library, which also checks the stand-in.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Stripe from 'stripe'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { startStripe } from '../support/stripe.mjs'

const PASSWORD = 'palmares-demo'
const SECRET = 'whsec_of_this_test'

/** The demonstration's owner, signed in, and a listing of theirs. */
async function seller(server) {
  const client = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await client.auth.signInWithPassword({ email: 'owner@palmares.test', password: PASSWORD })
  assert.equal(error, null)
  const [row] = await asOwner(server, `select id from public.servers where owner_id = '${data.user.id}' order by id limit 1`)
  await asOwner(server, "update public.payments set state = 'expired', look_at = null where state = 'open'")
  return { client, serverId: row.id }
}

async function called(client, name, body) {
  const { data, error } = await client.functions.invoke(name, { body })
  return error ? { status: error.context.status, ...(await error.context.json()) } : data
}

const stateOf = async (client, sessionId) => (await called(client, 'check-payment', { sessionId })).state

test('Stripe stand-in works with Stripe’s own library', async () => {
  const standIn = await startStripe()
  try {
    const library = new Stripe(standIn.key, { host: '127.0.0.1', port: standIn.port, protocol: 'http', maxNetworkRetries: 0 })
    const order = {
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 3000, product_data: { name: 'Prestige' } } }],
      client_reference_id: 'a',
      expires_at: Math.floor(Date.now() / 1000) + 3600,
      success_url: 'https://a.example/{CHECKOUT_SESSION_ID}',
      cancel_url: 'https://a.example',
    }
    const options = { idempotencyKey: 'open-a' }
    const session = await library.checkout.sessions.create(order, options)
    assert.equal((await library.checkout.sessions.create(order, options)).id, session.id)
    await assert.rejects(library.checkout.sessions.create({ ...order, locale: 'fr' }, options), { type: 'StripeIdempotencyError' })
    await assert.rejects(library.checkout.sessions.create({ ...order, expires_at: order.expires_at - 3000 }), { type: 'StripeInvalidRequestError' })
    standIn.pay(session.id)
    const { payment_intent, payment_status } = await library.checkout.sessions.retrieve(session.id)
    assert.equal(payment_status, 'paid')
    await assert.rejects(library.checkout.sessions.expire(session.id), { type: 'StripeInvalidRequestError' })
    await library.refunds.create({ payment_intent, amount: 1000 })
    assert.equal((await library.refunds.list({ payment_intent })).data[0].amount, 1000)
    await assert.rejects(library.refunds.create({ payment_intent, amount: 2001 }), { code: 'charge_already_refunded' })
    const foreignStripe = new Stripe('sk_of_nobody', { host: '127.0.0.1', port: standIn.port, protocol: 'http', maxNetworkRetries: 0 })
    await assert.rejects(foreignStripe.checkout.sessions.retrieve(session.id), { type: 'StripeAuthenticationError' })
  } finally {
    standIn.stop()
  }
})

test('with the test page', async (t) => {
  const server = await startServer({ args: ['--demo'], env: { STATUS_RATE: '0' } })
  after(() => server.stop())
  const { client, serverId } = await seller(server)
  const press = (url, choice) => fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })

  await t.test('payment counts once and has a numbered receipt', async () => {
    const { url, paymentId } = await called(client, 'create-prestige-payment', { serverId, days: 30, beginsAtOnce: true })
    const page = await fetch(url)
    assert.match(await page.text(), /TEST.*aucun argent/s)
    const paid = await press(url, 'pay')
    assert.equal(paid.status, 303)
    const back = new URL(paid.headers.get('location'))
    assert.equal(back.pathname, '/prestige/success')
    const sessionId = back.searchParams.get('session_id')
    assert.equal(await stateOf(client, sessionId), 'paid')
    await press(url, 'pay')
    const { data: known } = await client.rpc('get_payment_by_session', { p_session_id: sessionId })
    assert.deepEqual([known[0].state, known[0].days, known[0].is_own], ['paid', 30, true])
    const { data: receipts } = await client.from('payment_receipts').select('number,kind,amount_cents').eq('payment_id', paymentId)
    assert.equal(receipts.length, 1)
    assert.equal(receipts[0].kind, 'receipt')
  })

  await t.test('delayed payment counts without the payer’s return', async () => {
    const { url, paymentId } = await called(client, 'create-prestige-payment', { serverId, days: 7, beginsAtOnce: true })
    await press(url, 'later')
    await asOwner(server, `update public.test_checkouts set arrives_at = now() where payment_id = '${paymentId}'`)
    await asOwner(server, `update public.payments set look_at = now() where id = '${paymentId}'`)
    await eventually(async () => {
      const { data } = await client.from('payments').select('state').eq('id', paymentId).single()
      return data.state === 'paid'
    })
  })

  await t.test('a withdrawal is refunded by the same provider', async () => {
    const { url, paymentId } = await called(client, 'create-prestige-payment', { serverId, days: 3, beginsAtOnce: false })
    await press(url, 'pay')
    const { data: quote } = await client.rpc('quote_withdrawal', { p_payment_id: paymentId })
    assert.equal(quote[0].may_withdraw, true)
    const { error } = await client.rpc('withdraw_from_payment', { p_payment_id: paymentId, p_refund_cents: quote[0].refund_cents })
    assert.equal(error, null)
    await eventually(async () => {
      const { data } = await client.from('payments').select('state,refunded_cents').eq('id', paymentId).single()
      return data.state === 'refunded' && data.refunded_cents === quote[0].refund_cents
    })
    const { data: receipts } = await client.from('payment_receipts').select('kind').eq('payment_id', paymentId).order('number')
    assert.deepEqual(receipts.map(({ kind }) => kind), ['receipt', 'credit'])
  })

  await t.test('refusals have the codes that the pages expect', async () => {
    const anonymous = createClient(server.url, server.keys.ANON_KEY)
    const signedOut = await called(anonymous, 'create-prestige-payment', { serverId, days: 30 })
    assert.deepEqual([signedOut.status, signedOut.code], [401, 'authentication_required'])
    const missing = await called(client, 'create-arcade-spot-payment', { startDate: '2030-01-01', endDate: '2030-01-01' })
    assert.deepEqual([missing.status, missing.error], [400, 'Position manquante'])
    assert.equal(typeof (await called(anonymous, 'cleanup-pending-arcade-spots', {})).released, 'number')
    const unknown = await called(anonymous, 'check-payment', { sessionId: 'cs_test_nobodys' })
    assert.equal(unknown.status, 404)
  })
})

test('with Stripe', async (t) => {
  const standIn = await startStripe()
  const env = {
    STATUS_RATE: '0',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: standIn.key,
    STRIPE_WEBHOOK_SECRETS: `whsec_older,${SECRET}`,
    STRIPE_API_URL: standIn.url,
  }
  const server = await startServer({ args: ['--demo'], env })
  after(async () => {
    await server.stop()
    standIn.stop()
  })
  const { client, serverId } = await seller(server)
  const library = new Stripe('sk_unused')
  const tell = (event, secret = SECRET) => {
    const payload = JSON.stringify(event)
    const signature = library.webhooks.generateTestHeaderString({ payload, secret })
    return fetch(`${server.url}/payments/webhooks/stripe`, { method: 'POST', body: payload, headers: { 'stripe-signature': signature } })
  }
  const ordered = async (days) => {
    const { url, paymentId } = await called(client, 'create-prestige-payment', { serverId, days, beginsAtOnce: false })
    return { session: url.split('/').at(-1), paymentId }
  }

  await t.test('webhook counts once if Stripe signed it', async () => {
    const { session, paymentId } = await ordered(30)
    const event = standIn.pay(session)
    assert.equal((await tell(event, 'whsec_of_nobody')).status, 400)
    const statuses = await Promise.all([tell(event), tell(event), tell(event)])
    assert.deepEqual(statuses.map(({ status }) => status), [200, 200, 200])
    const { data } = await client.from('payment_receipts').select('number').eq('payment_id', paymentId)
    assert.equal(data.length, 1)
    assert.equal(await stateOf(client, session), 'paid')
  })

  await t.test('an order continues after the provider was down', async () => {
    standIn.faults.next = () => 503
    const down = await called(client, 'create-prestige-payment', { serverId, days: 7 })
    assert.deepEqual([down.status, down.code], [503, 'provider_unavailable'])
    standIn.faults.next = () => null
    const { session } = await ordered(7)
    standIn.pay(session)
    assert.equal(await stateOf(client, session), 'paid')
  })

  await t.test('a withdrawal is refunded once', async () => {
    const { session, paymentId } = await ordered(3)
    await tell(standIn.pay(session))
    const { data: quote } = await client.rpc('quote_withdrawal', { p_payment_id: paymentId })
    await client.rpc('withdraw_from_payment', { p_payment_id: paymentId, p_refund_cents: quote[0].refund_cents })
    await eventually(async () => {
      const { data } = await client.from('payments').select('state').eq('id', paymentId).single()
      return data.state === 'refunded'
    })
    const intent = standIn.sessions.get(session).payment_intent
    assert.deepEqual(standIn.refunds.filter((one) => one.payment_intent === intent).map(({ amount }) => amount), [quote[0].refund_cents])
  })

  await t.test('the test page is not served', async () => {
    assert.notEqual((await fetch(`${server.url}/payments/test/x`)).status, 200)
  })
})
