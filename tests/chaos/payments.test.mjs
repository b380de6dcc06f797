// Payments under kills: the server is killed at random; webhooks arrive twice, shuffled or never; people race for the same
// days, withdraw, abandon sessions and delete what they paid for. Afterwards the provider's receipts equal the deliveries
// plus the refunds, to the cent. `just test` makes a short run, `just chaos-payments` one of 5,000 payments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'
import { startStripe } from '../support/stripe.mjs'

const PAYMENTS = Number(process.env.CHAOS_PAYMENTS ?? 80)
const KILLS = Math.max(2, Math.floor(PAYMENTS / 400))
const BUYERS = PAYMENTS > 500 ? 24 : 8
/** How many days ahead tiles are booked; few, so that bookings collide. */
const DAYS_AHEAD = PAYMENTS > 500 ? 360 : 60
const SECRET = 'whsec_of_the_chaos_test'
const PATIENCE = { within: 120_000 }

const pick = (list) => list[Math.floor(Math.random() * list.length)]
const happens = (chance) => Math.random() < chance
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a site that can be killed and restarted on the same data. */
async function site(standIn) {
  const folder = scratchFolder()
  const env = {
    STATUS_RATE: '0',
    COMPAT_RATE_LIMITS: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: standIn.key,
    STRIPE_WEBHOOK_SECRETS: SECRET,
    STRIPE_API_URL: standIn.url,
  }
  const place = { dataDir: folder.path, process: undefined }
  const start = async () => (place.process = await startServer({ args: ['--demo'], dataDir: folder.path, env }))
  await start()
  return Object.assign(place, {
    async kill() {
      await place.process.kill()
      await startAfterKill(start)
    },
    async stop() {
      await place.process.stop()
      folder.remove()
    },
  })
}

/** Owners who order, each with a server and a token that outlives the kills. */
async function sellers(place) {
  const { url, keys } = place.process
  const admin = createClient(url, keys.SERVICE_ROLE_KEY)
  const servers = await asOwner(place, `select id from public.servers where is_approved order by id limit ${BUYERS}`)
  await asOwner(place, `update public.payments set state = 'expired', look_at = null where state = 'open';
    update public.arcade_spots set status = 'expired' where status = 'pending';
    update public.servers set is_sponsored = false, sponsor_tier = null, prestige_expires_at = null`)
  const made = []
  for (const [number, { id }] of servers.entries()) {
    const email = `chaos-${number}@palmares.test`
    const password = `chaos of ${number} payments`
    const { data, error } = await admin.auth.admin.createUser({ email, password, email_confirm: true })
    assert.equal(error, null)
    await asOwner(place, `update public.servers set owner_id = '${data.user.id}' where id = '${id}'`)
    const client = createClient(url, keys.ANON_KEY)
    const session = await client.auth.signInWithPassword({ email, password })
    made.push({ id: data.user.id, serverId: id, left: [], headers: { apikey: keys.ANON_KEY, authorization: `Bearer ${session.data.session.access_token}` } })
  }
  return made
}

let requestCount = 0
/** Repeats a call until it is answered. */
const call = (place, path, body, headers = {}, method = 'POST') =>
  eventually(async () => {
    requestCount += 1
    const from = `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`
    try {
      const answer = await fetch(`${place.process.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
        body: typeof body === 'string' ? body : body && JSON.stringify(body),
      })
      return answer.status < 500 && { status: answer.status, body: await answer.json().catch(() => null) }
    } catch {
      return null
    }
  }, PATIENCE)

/** Repeats a statement until the database accepts connections; an error in the statement itself is thrown. */
const rowsOf = async (place, sql) => {
  const { rows } = await eventually(async () => {
    try {
      return { rows: await asOwner(place, sql) }
    } catch (error) {
      if (/^(2|3|4)/.test(error.code ?? '')) throw error
      return null
    }
  }, PATIENCE)
  return rows
}

let listed = 0
/** Deletes a person's server, even if it was paid for, and lists a new one. */
async function listAnew(place, person) {
  const { status } = await call(place, `/rest/v1/servers?id=eq.${person.serverId}`, undefined, person.headers, 'DELETE')
  assert.ok(status < 300, `deleting answers ${status}`)
  const [{ id }] = await rowsOf(
    place,
    `insert into public.servers (name, game_id, owner_id, is_approved)
     select 'Port of the chaos test ' || gen_random_uuid(), id, '${person.id}', true from public.games where slug = 'rust' returning id`,
  )
  person.serverId = id
}

/** Lets time pass for open sessions: they become due for a check, and finally expire. */
async function passTime(place, isOver) {
  while (!isOver()) {
    await pause(2_000)
    await asOwner(
      place,
      `update public.payments set look_at = now() where state = 'open' and session_id is not null and created_at < now() - interval '4 seconds';
       with over as (
         update public.payments set expires_at = now(), look_at = now()
         where state = 'open' and created_at < now() - interval '20 seconds' returning spot_id
       )
       update public.arcade_spots set lapses_at = now() where status = 'pending' and id in (select spot_id from over)`,
    ).catch(() => {})
  }
}

const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

function order(place, { serverId, headers }) {
  if (happens(0.6)) {
    return call(place, '/functions/v1/create-prestige-payment', { serverId, days: 1 + Math.floor(Math.random() * 30), beginsAtOnce: true }, headers)
  }
  const from = 2 + Math.floor(Math.random() * DAYS_AHEAD)
  const body = { position: pick([1, 2, 3]), startDate: day(from), endDate: day(from + pick([0, 1, 2])), imageUrl: '/a.png', beginsAtOnce: true }
  return call(place, '/functions/v1/create-arcade-spot-payment', body, headers)
}

test('payments match deliveries and refunds after kills', async (t) => {
  const standIn = await startStripe()
  t.after(() => standIn.stop())
  const place = await site(standIn)
  t.after(() => place.stop())
  const library = new Stripe('sk_unused')
  const people = await sellers(place)
  const counts = { ordered: 0, taken: 0, paid: 0, notices: 0, withdrawn: 0, deleted: 0, killed: 0 }
  const late = []
  // One answer in twenty is lost, and one call in twenty is refused.
  standIn.faults.next = () => (happens(0.05) ? 'lost' : happens(0.05) ? 503 : null)

  const tell = async (event) => {
    const payload = JSON.stringify(event)
    counts.notices += 1
    const signed = () => ({ 'stripe-signature': library.webhooks.generateTestHeaderString({ payload, secret: SECRET }) })
    const { status } = await call(place, '/payments/webhooks/stripe', payload, signed())
    assert.equal(status, 200)
  }

  /** Pays a session; its webhook is sent once, three times or never, and at once or later. */
  const pay = async (session) => {
    const event = standIn.pay(session)
    if (!event) return
    counts.paid += 1
    const notifications = happens(0.7) ? [event] : happens(0.5) ? [event, event, event] : []
    if (happens(0.3)) late.push(...notifications)
    else await Promise.all(notifications.map(tell))
  }

  const buyer = async (person) => {
    while (!isOver && counts.paid < PAYMENTS) {
      counts.ordered += 1
      const { status, body } = await order(place, person)
      if (status !== 200) {
        assert.ok(['days_taken', 'open_payments'].includes(body.code), JSON.stringify(body))
        if (body.code === 'days_taken') counts.taken += 1
        // Too many payments are open: one abandoned session is paid after all.
        else if (person.left.length > 0) await pay(person.left.shift())
        else await pause(200)
        continue
      }
      const session = body.url.split('/').at(-1)
      if (happens(0.15)) {
        person.left.push(session)
        continue
      }
      await pay(session)
      if (happens(0.02)) {
        await listAnew(place, person)
        counts.deleted += 1
      }
      if (happens(0.2)) await call(place, '/functions/v1/check-payment', { sessionId: session })
      if (happens(0.15)) {
        const [quote] = (await call(place, '/rest/v1/rpc/quote_withdrawal', { p_payment_id: body.paymentId }, person.headers)).body
        if (quote?.may_withdraw) {
          const wish = { p_payment_id: body.paymentId, p_refund_cents: quote.refund_cents }
          await call(place, '/rest/v1/rpc/withdraw_from_payment', wish, person.headers)
          counts.withdrawn += 1
        }
      }
    }
  }
  const startedAt = Date.now()
  let isOver = false
  const time = passTime(place, () => isOver)
  const killer = (async () => {
    for (let kill = 1; kill <= KILLS; kill++) {
      await eventually(() => isOver || counts.paid >= (PAYMENTS * kill) / (KILLS + 1), { within: 3_600_000 })
      if (isOver) return
      await place.kill()
      counts.killed += 1
    }
  })()
  try {
    await Promise.all([...people.map(buyer), killer])
  } finally {
    isOver = true
    await time
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  for (const event of late.sort(() => Math.random() - 0.5)) await tell(event)
  standIn.faults.next = () => null

  const rows = (sql) => asOwner(place, sql)
  const byStripe = "provider = 'stripe'"
  await eventually(async () => {
    await rows(`update public.payments set expires_at = now(), look_at = now() where state = 'open';
      update public.payments set created_at = created_at - interval '10 minutes' where state = 'open' and session_id is null;
      update public.payments set refund_at = now() where state = 'to_refund'`)
    const [{ settled }] = await rows(`select count(*)::int as settled from public.payments where ${byStripe} and paid_at is not null`)
    const [{ waiting }] = await rows(`select count(*)::int as waiting from public.payments where state in ('open', 'to_refund')`)
    return settled === counts.paid && waiting === 0
  }, { within: 180_000 })

  const [sold] = await rows(`select coalesce(sum(amount_cents), 0)::int as taken, coalesce(sum(refunded_cents), 0)::int as given_back,
    coalesce(sum(amount_cents - refunded_cents), 0)::int as held from public.payments where ${byStripe} and paid_at is not null`)
  assert.equal(sold.held, standIn.balance(), 'to the cent')
  const refunded = standIn.refunds.reduce((sum, { amount }) => sum + amount, 0)
  assert.equal(sold.given_back, refunded)
  // Each server's prestige ends when its last paid period ends, and periods do not overlap.
  const wrong = await rows(`
    select s.id, s.prestige_expires_at, ends.at from public.servers as s
    join lateral (select max(covers_until) as at from public.payments where server_id = s.id and kind = 'prestige' and state = 'paid' and ${byStripe}) as ends on ends.at is not null
    where abs(extract(epoch from s.prestige_expires_at - ends.at)) > 1`)
  assert.deepEqual(wrong, [], 'days')
  const overlaps = await rows(`
    select a.id from public.payments as a join public.payments as b on b.server_id = a.server_id and b.id > a.id
    where a.kind = 'prestige' and b.kind = 'prestige' and a.state = 'paid' and b.state = 'paid' and a.${byStripe} and b.${byStripe}
      and tstzrange(a.covers_from, a.covers_until) && tstzrange(b.covers_from, b.covers_until)
      and least(a.covers_until, b.covers_until) - greatest(a.covers_from, b.covers_from) > interval '1 second'`)
  assert.deepEqual(overlaps, [], 'no day is sold twice to a server')
  const tiles = await rows(`
    select a.id from public.arcade_spots as a join public.arcade_spots as b on b.position = a.position and b.id > a.id
    where a.status in ('paid', 'active') and b.status in ('paid', 'active')
      and daterange(a.start_date, a.end_date, '[]') && daterange(b.start_date, b.end_date, '[]')`)
  assert.deepEqual(tiles, [], 'no two tiles overlap')
  const unpaid = await rows(`
    select a.id from public.payments as p join public.arcade_spots as a on a.id = p.spot_id
    where p.${byStripe} and (p.state = 'paid') <> (a.status in ('paid', 'active'))`)
  assert.deepEqual(unpaid, [], 'a tile is booked exactly when its payment counts')
  // A paid payment has its price and its full duration; other payments were refunded, less the part that was used.
  const dear = await rows(`
    select p.id from public.payments as p left join public.arcade_spots as a on a.id = p.spot_id
    where p.${byStripe} and p.state = 'paid' and (
      p.refunded_cents > 0
      or p.kind = 'prestige' and (
        p.amount_cents <> public.calculate_prestige_price(p.days)
        or abs(extract(epoch from p.covers_until - p.covers_from) - p.days * 86400) > 1
      )
      or p.kind = 'arcade' and (a.end_date - a.start_date + 1, p.amount_cents) is distinct from (p.days, public.calculate_arcade_spot_price(p.days))
    )`)
  assert.deepEqual(dear, [], 'what counts was given at its price')
  const [sums] = await rows(`
    select
      coalesce(sum(amount_cents) filter (where kind = 'prestige' and state = 'paid'), 0)::int as days,
      coalesce(sum(amount_cents) filter (where kind = 'arcade' and state = 'paid'), 0)::int as tiles,
      coalesce(sum(amount_cents - refunded_cents) filter (where state = 'refunded'), 0)::int as used,
      coalesce(sum(refunded_cents), 0)::int as back,
      count(*) filter (where kind = 'arcade' and state = 'paid')::int as booked,
      count(*) filter (where refund_reason = 'days_taken')::int as lost,
      count(*) filter (where refund_reason = 'subject_gone')::int as gone
    from public.payments where ${byStripe} and paid_at is not null`)
  const taken = [...standIn.sessions.values()].filter((one) => one.payment_status === 'paid').reduce((sum, { amount_total: cents }) => sum + cents, 0)
  assert.equal(taken, sums.days + sums.tiles + sums.used + sums.back, 'what was taken is what was given and what went back')
  const [receipts] = await rows('select count(*)::int as count, max(number)::int as last, (select last from public.payment_receipt_numbers)::int as given from public.payment_receipts')
  assert.deepEqual([receipts.count, receipts.given], [receipts.last, receipts.last], 'receipts without gaps')
  t.diagnostic(
    `${counts.paid} paid of ${counts.ordered} orders in ${seconds} s, ${counts.taken} lost the race for days, ${counts.notices} notices, ` +
      `${counts.withdrawn} withdrawn, ${counts.deleted} servers deleted, ${counts.killed} kills; ` +
      `taken ${taken} = days ${sums.days} + tiles ${sums.tiles} (${sums.booked}) + used ${sums.used} + back ${sums.back}; ` +
      `${sums.lost} days taken meanwhile, ${sums.gone} without a subject, ${receipts.count} papers`,
  )
})
