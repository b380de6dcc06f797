// A stand-in for Stripe: as much of Checkout Sessions and Refunds as the site uses, with objects shaped as in Stripe's own
// fixtures. tests/client/payments.test.mjs checks it with the published `stripe` library.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const id = (kind) => `${kind}_${randomBytes(12).toString('hex')}`

/** `a[b][0]=c` as nested objects, as Stripe reads forms. */
function parsed(body) {
  const root = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = name.replaceAll(']', '').split('[')
    let at = root
    for (const key of keys.slice(0, -1)) at = at[key] ??= {}
    at[keys.at(-1)] = value
  }
  return root
}

const refusal = (status, code, message) => ({ status, body: { error: { type: 'invalid_request_error', code, message } } })
const answer = (body) => ({ status: 200, body })

/**
 * Starts the stand-in on a free port. `pay` and `fail` act as the payer; each returns the event that Stripe would send.
 * `faults.next` may return a status, which answers a call unprocessed, or `lost`, which drops the answer of a processed call.
 */
export async function startStripe({ key = 'sk_test_stand_in' } = {}) {
  const sessions = new Map()
  const refunds = []
  const paidEvents = []
  const answered = new Map()
  const faults = { next: () => null }

  const open = (form) => {
    const item = Object.values(form.line_items)[0]
    const amount = Number(item.price_data.unit_amount) * Number(item.quantity)
    const seconds = Number(form.expires_at) - Date.now() / 1000
    if (!(seconds >= 30 * 60 && seconds <= 24 * 60 * 60)) {
      return refusal(400, 'parameter_invalid', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now')
    }
    const name = id('cs_test')
    const session = {
      id: name,
      object: 'checkout.session',
      mode: form.mode,
      url: `http://127.0.0.1:${server.address().port}/pay/${name}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_subtotal: amount,
      amount_total: amount,
      currency: item.price_data.currency,
      client_reference_id: form.client_reference_id,
      customer_email: form.customer_email ?? null,
      metadata: form.metadata ?? {},
      locale: form.locale,
      success_url: form.success_url,
      cancel_url: form.cancel_url,
      created: Math.floor(Date.now() / 1000),
      expires_at: Number(form.expires_at),
      livemode: false,
    }
    sessions.set(name, session)
    return answer(session)
  }

  const refund = (form) => {
    const of = refunds.filter((one) => one.payment_intent === form.payment_intent)
    const paid = [...sessions.values()].find((one) => one.payment_intent === form.payment_intent)
    if (!paid) return refusal(404, 'resource_missing', `No such payment_intent: '${form.payment_intent}'`)
    const refunded = of.reduce((sum, one) => sum + one.amount, 0)
    const amount = Number(form.amount ?? paid.amount_total - refunded)
    if (refunded + amount > paid.amount_total) {
      return refusal(400, 'charge_already_refunded', 'Charge has already been refunded.')
    }
    const made = {
      id: id('re'),
      object: 'refund',
      amount,
      currency: paid.currency,
      payment_intent: form.payment_intent,
      metadata: form.metadata ?? {},
      status: 'succeeded',
      created: Math.floor(Date.now() / 1000),
    }
    refunds.push(made)
    return answer(made)
  }

  function respondTo(method, path, query, form) {
    const [, session, expire] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? []
    if (method === 'POST' && path === '/v1/checkout/sessions') return open(form)
    if (method === 'POST' && path === '/v1/refunds') return refund(form)
    if (method === 'GET' && path === '/v1/refunds') {
      const data = refunds.filter((one) => one.payment_intent === query.get('payment_intent'))
      return answer({ object: 'list', url: path, has_more: false, data })
    }
    const found = sessions.get(session)
    if (!found) return refusal(404, 'resource_missing', `No such checkout.session: ${session}`)
    if (method === 'GET') return answer(found)
    if (!expire) return refusal(404, null, 'Unrecognized request URL')
    if (found.status !== 'open') return refusal(400, null, 'Only Checkout Sessions with a status in ["open"] can be expired.')
    found.status = 'expired'
    return answer(found)
  }

  /** The payment page: a button to pay and a link back. */
  function checkout(method, session, response) {
    if (!session) return response.writeHead(404).end()
    if (method === 'POST') {
      const paid = pay(session.id)
      if (paid) paidEvents.push(paid)
      return response.writeHead(303, { location: session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id) }).end()
    }
    const page = `<!doctype html><html lang="${session.locale}"><title>Checkout</title><main><h1>${session.amount_total} ${session.currency}</h1>
      <form method="post"><button>Pay</button></form><a href="${session.cancel_url}">Back</a></main></html>`
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url, 'http://stand.in')
    const [, payer] = /^\/pay\/([^/]+)$/.exec(pathname) ?? []
    if (payer) return checkout(request.method, sessions.get(payer), response)
    const say = ({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') }).end(JSON.stringify(body))
    const [scheme, credential] = (request.headers.authorization ?? '').split(' ')
    const isOurs = scheme === 'Bearer' ? credential === key : Buffer.from(credential ?? '', 'base64').toString() === `${key}:`
    if (!isOurs) return say({ status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } })
    const fault = faults.next(request.method, pathname)
    if (typeof fault === 'number') return say({ status: fault, body: { error: { type: 'api_error', message: 'down' } } })
    const idempotency = request.method === 'POST' && request.headers['idempotency-key']
    const before = idempotency && answered.get(idempotency)
    if (before && before.body !== body) {
      return say({ status: 400, body: { error: { type: 'idempotency_error', message: 'Other parameters under the same key' } } })
    }
    const answerBody = before?.answerBody ?? structuredClone(respondTo(request.method, pathname, searchParams, parsed(body)))
    if (idempotency) answered.set(idempotency, { body, answerBody })
    if (fault === 'lost') return response.destroy()
    return say(answerBody)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const event = (type, object) => ({
    id: id('evt'),
    object: 'event',
    api_version: '2024-06-20',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    pending_webhooks: 1,
    type,
    data: { object: structuredClone(object) },
  })

  /** Pays a session; returns the event, or nothing if the session has ended. */
  function pay(name) {
    const session = sessions.get(name)
    if (session?.status !== 'open') return undefined
    Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: id('pi') })
    return event('checkout.session.completed', session)
  }

  return {
    key,
    url: `http://127.0.0.1:${server.address().port}`,
    port: server.address().port,
    sessions,
    refunds,
    faults,
    /** The events of payments that were made on the page. */
    paidEvents,
    event,
    pay,
    /** Sum of the payments less the refunds, in cents. */
    balance() {
      const taken = [...sessions.values()].filter((one) => one.payment_status === 'paid')
      const sum = (list, name) => list.reduce((all, one) => all + one[name], 0)
      return sum(taken, 'amount_total') - sum(refunds, 'amount')
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
