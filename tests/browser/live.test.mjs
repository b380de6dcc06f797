// Live updates: a vote arrives through the API, and lists, the server's page and the stream's overlay show it without a
// reload; the moderation queue grows in a second window.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { signInAs } from '../support/demo.mjs'
import { startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const t = textsOf('fr')
/** More than anybody has in the demonstration. */
const VOTES = 90_000

let server
let browser
/** Three servers of games without a rule for nicknames, which lead with as many votes, by their ids. */
let leading

before(async () => {
  ;[server, browser] = await Promise.all([
    startServer({
      args: ['--demo'],
      env: { CAPTCHA_COST: '50', COMPAT_RATE_LIMITS: 'false', STATUS_RATE: '0', OUTGOING_ALLOWED_HOSTS: '127.0.0.1' },
    }),
    launch(),
  ])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

beforeEach(async () => {
  await asOwner(
    server,
    `delete from public.votes;
     update public.server_standings set monthly_votes = ${VOTES}, month = public.month_of(public.site_today()) where server_id in (
       select t.server_id from public.server_standings t join public.games g on g.id = t.game_id
       where t.is_listed and not t.is_prestige and g.nickname_pattern is null order by t.server_id limit 3);
     select public.refresh_ranks()`,
  )
  leading = await asOwner(
    server,
    `select s.id, s.slug, s.name from public.servers s join public.server_standings t on t.server_id = s.id
     where t.monthly_votes = ${VOTES} order by s.id`,
  )
})

/** Casts a vote through the API, as another site's program or another window does. */
async function vote({ id }) {
  const answer = await fetch(`${server.url}/functions/v1/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: server.keys.ANON_KEY },
    body: JSON.stringify({ serverId: id, nickname: 'Nova_42', captcha: await solveCaptcha(server.url, id) }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** Opens an address and waits until its page has joined a topic. */
async function listening(page, path, topic) {
  const frame = new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const text = String(payload)
        if (text.includes(`realtime:${topic}`) && text.includes('phx_reply') && text.includes('"ok"')) resolve(socket)
      }),
    )
  })
  await page.goto(path)
  return frame
}

const podium = (page) => page.locator('#server-list ol').first().getByRole('heading', { level: 3 })
const plain = (text) => text.replace(/\s+/g, ' ')
const inFrench = (number) => plain(new Intl.NumberFormat('fr-FR').format(number))
const named = ({ name }) => name.replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
const visiting = (look, options = {}) => Visit.during(browser, { url: server.url, ...options }, look)

test('vote updates list, server page, widget and overlay', () =>
  visiting((_list, list) =>
    visiting((_page, page) =>
      visiting(async (overlayVisit, overlay) => {
        const widget = await overlayVisit.context.newPage()
        const [, second] = leading
        // The other tests reduce motion.
        await list.emulateMedia({ reducedMotion: 'no-preference' })
        await Promise.all([
          listening(list, '/', 'ranking'),
          listening(page, `/serveur/${second.slug}`, `server:${second.id}`),
          listening(overlay, `/overlay/${second.id}`, `server:${second.id}`),
          listening(widget, `/widget/${second.id}?format=badge`, `server:${second.id}`),
        ])
        assert.deepEqual(await podium(list).allTextContents(), leading.map(named))
        // The script of the live updates is loaded neither with the page nor soon after.
        const fetched = await list.evaluate(() =>
          performance.getEntriesByType('resource').filter(({ name }) => /\/channels-/.test(name)).map(({ startTime }) => startTime),
        )
        assert.ok(fetched.length > 0 && fetched.every((time) => time > 3_000), `fetched after ${fetched} ms`)
        for (const window of [list, page, overlay, widget]) await window.evaluate(() => (window.isSame = true))
        // Records which cards are animated, and from where.
        await list.evaluate(() => {
          const { animate } = Element.prototype
          window.moves = []
          Element.prototype.animate = function (frames, ...rest) {
            if (this.matches('li')) window.moves.push([this.querySelector('h3').textContent, frames[0].transform])
            return animate.call(this, frames, ...rest)
          }
        })

        await vote(second)

        await podium(list).first().getByText(named(second)).waitFor()
        const card = list.locator('#server-list article').first()
        await card.getByText('Place 1', { exact: true }).waitFor()
        assert.match(plain(await card.innerText()), new RegExp(inFrench(VOTES + 1)))
        assert.match(plain(await list.locator('#server-list article').nth(1).innerText()), /Place 2/)
        await list.waitForFunction(() => window.moves.length >= 2)
        const moves = await list.evaluate(() => window.moves)
        assert.deepEqual(moves.map(([name]) => name).slice(0, 2), [named(second), named(leading[0])])
        assert.ok(moves.every(([, from]) => /^translate\(-?[\d.]+px, -?[\d.]+px\)$/.test(from)), `${moves}`)
        await page.getByText(inFrench(VOTES + 1)).first().waitFor()
        await overlay.getByText(`${inFrench(VOTES + 1)} votes ce mois-ci`).waitFor()
        await widget.getByText(`${inFrench(VOTES + 1)} votes`).waitFor()
        for (const window of [list, page, overlay, widget]) assert.ok(await window.evaluate(() => window.isSame), 'loaded again')
        await overlayVisit.glance('overlay')
      }),
    ),
  ))

test('list keeps its order under pointer or focus', () =>
  visiting(async (visit, page) => {
    const [first, , third] = leading
    await listening(page, '/', 'ranking')
    await page.locator('#server-list article').first().hover()
    await vote(third)
    const show = page.getByRole('button', { name: t('ranking-list:moved.show') })
    await show.waitFor()
    assert.deepEqual(await podium(page).allTextContents(), leading.map(named))
    await visit.keepPicture('live-held-desktop')
    await visit.assertAccessible('a list with something new')
    // Keyboard focus holds the list as well.
    await page.locator('#server-list article a').first().focus()
    await page.setViewportSize(PHONE)
    await visit.keepPicture('live-held-phone')
    assert.deepEqual(await podium(page).allTextContents(), leading.map(named))
    await show.click()
    await podium(page).first().getByText(named(third)).waitFor()
    assert.equal(await podium(page).nth(1).textContent(), named(first))
    await show.waitFor({ state: 'detached' })
  }))

test('hidden tab disconnects and refreshes when visible', () =>
  visiting(async (_, page) => {
    const [, second] = leading
    const socket = await listening(page, '/', 'ranking')
    const closed = socket.waitForEvent('close')
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await closed
    await vote(second)
    await page.evaluate(() => {
      delete document.hidden
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await podium(page).first().getByText(named(second)).waitFor()
  }))

test('moderation queue updates live for each administrator', () =>
  visiting((_first, first) =>
    visiting(async (_second, second) => {
      const waits = (page) => page.getByRole('region', { name: t('admin-overview:waits.title') }).getByRole('listitem').filter({ hasText: t('admin-overview:waits.report') })
      for (const page of [first, second]) {
        await signInAs(page, server, 'admin@palmares.test')
        await listening(page, '/admin', 'staff:queue')
      }
      const [before] = await asOwner(
        server,
        "select count(*)::int as amount from public.moderation_cases where kind = 'report' and decision is null",
      )
      await asOwner(
        server,
        `insert into public.reports (server_id, reporter_id, reason)
         select s.id, p.id, 'spam' from public.servers s, public.profiles p
         where p.username = 'Pablo' and not exists (
           select from public.moderation_cases c where c.subject_id = s.id and c.decision is null)
         order by s.id limit 1`,
      )
      for (const page of [first, second]) await waits(page).getByText(inFrench(before.amount + 1), { exact: true }).waitFor()
    }),
  ))

test('delivery appears in vote dialog and owner log', async () => {
  let status = 503
  const receiver = createServer((request, answer) => request.resume().on('end', () => answer.writeHead(status).end()))
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  try {
    const [ownServer] = await asOwner(
      server,
      `select s.id, s.slug from public.servers s join auth.users u on u.id = s.owner_id
       join public.server_standings t on t.server_id = s.id join public.games g on g.id = t.game_id
       where u.email = 'owner@palmares.test' and t.is_listed and g.nickname_pattern is null order by s.id limit 1`,
    )
    await asOwner(server, `delete from public.votifier_configs; delete from public.webhooks; delete from public.deliveries`)
    const { error } = await createClient(server.url, server.keys.SERVICE_ROLE_KEY)
      .from('webhooks')
      .insert({
        server_id: ownServer.id,
        url: `http://127.0.0.1:${receiver.address().port}/votes`,
        secret: `whsec_${randomBytes(24).toString('base64')}`,
        is_active: true,
      })
    assert.equal(error, null)
    await visiting((_voter, voter) =>
      visiting(async (_owner, log) => {
        await signInAs(log, server, 'owner@palmares.test')
        await Promise.all([
          listening(log, `/edit-server/${ownServer.id}/integrations?section=deliveries`, `server:${ownServer.id}`),
          listening(voter, `/serveur/${ownServer.slug}?vote=1&nickname=Ada`, `server:${ownServer.id}`),
        ])
        const dialog = voter.getByRole('dialog')
        await dialog.getByRole('button', { name: t('vote:submit'), exact: true }).click()
        // The dialog has given up asking by itself.
        await dialog.getByText(t('vote:arrival.later')).waitFor()
        const line = log.getByRole('main').getByRole('listitem').filter({ hasText: 'Ada' })
        await line.waitFor()
        status = 204
        // The delivery would be retried later by itself; this makes it due now.
        await asOwner(
          server,
          `update public.deliveries set next_attempt_at = now() where status = 'pending';
           update public.delivery_lanes set due_at = now() where server_id = '${ownServer.id}';
           notify "public.delivery_lanes"`,
        )
        await dialog.getByText(t('vote:arrival.arrived')).waitFor()
        await line.getByText(t('integrations:state.delivered'), { exact: true }).waitFor()
      }),
    )
  } finally {
    receiver.close()
  }
})
