// What brings people back: how places moved since yesterday, the rising, the hall of fame, the message that a vote is
// possible again, and the home screen.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { Visit, launchWithNotifications } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

let server
let browser
let won

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launchWithNotifications()])
  // Independent of the date: the first server climbed from the third place, the second one lost a place.
  await asOwner(
    server,
    `update public.server_standings as t
     set place_day = public.site_today(), day_rank = r.place, day_game_rank = r.place, rise = r.rise, game_rise = r.rise,
       daily_votes = 1, day = public.site_today()
     from (
       select server_id, case place when 1 then 3 else 1 end as place, case place when 1 then 1.1 else 0 end as rise
       from (
         select server_id, row_number() over (order by monthly_votes desc, server_id) as place
         from public.server_standings where is_listed
       ) as ranked
       where place <= 2
     ) as r
     where r.server_id = t.server_id`,
  )
  ;[won] = await asOwner(
    server,
    `select g.slug as game, g.name, p.month::text, s.slug, p.server_name
     from public.month_podiums as p
     inner join public.games as g on g.id = p.game_id
     inner join public.servers as s on s.id = p.server_id
     where p.place = 1 order by p.month desc, p.votes desc limit 1`,
  )
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)

test('the rising are listed with what they climbed', () =>
  visiting({}, async (visit, page) => {
    await page.goto('/?sort=rising')
    await page.getByRole('article').first().waitFor()
    const moved = page.getByRole('article').first().getByRole('img', { name: /places? gagnées? depuis hier/ })
    await moved.waitFor()
    await visit.glance('rising')
  }))

describe('the hall of fame', () => {
  test('is linked from the placings of a server', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/pantheon')
      await page.getByRole('heading', { level: 2, name: won.name, exact: true }).waitFor()
      await visit.lookAround('hall')
      await page.getByRole('main').getByRole('link', { name: won.name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: `Panthéon ${won.name}` }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/pantheon/${won.game}`)
      await visit.lookAround('hall-game')
      await page.goto(`/serveur/${won.slug}`)
      const placings = page.getByRole('region', { name: 'Sur le podium' })
      await placings.getByRole('link').first().waitFor()
      await visit.assertSteady()
      await placings.getByRole('link').first().click()
      await page.waitForURL(`**/pantheon/${won.game}#*`)
      // The month that was won is in sight. Shifts are not counted here: half a second after a click the change of pages
      // itself is one.
      await page.waitForFunction(() => {
        const month = document.getElementById(location.hash.slice(1))?.getBoundingClientRect()
        return month && month.top >= 0 && month.bottom <= innerHeight
      })
    }))

  test('speaks three languages at addresses of their own', () =>
    visiting({}, async (visit, page) => {
      for (const [language, path] of [
        ['fr', '/pantheon'],
        ['en', '/en/hall-of-fame'],
        ['es', '/es/salon-de-la-fama'],
      ]) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: textsOf(language)('hall-of-fame:title') }).waitFor()
      }
    }))
})

test('push message replaces the previous notification', () =>
  visiting({}, async (visit, page) => {
    await visit.context.grantPermissions(['notifications'])
    await page.goto('/privacy')
    const session = await visit.context.newCDPSession(page)
    const registered = new Promise((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [found] = registrations
        if (found) resolve(found.registrationId)
      }),
    )
    await session.send('ServiceWorker.enable')
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js')
      const { active } = await navigator.serviceWorker.ready
      // Chromium silently drops messages to a service worker that is still activating.
      while (active.state !== 'activated') await new Promise((changed) => active.addEventListener('statechange', changed, { once: true }))
    })
    const registrationId = await registered
    const deliver = (message) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(server.url).origin,
        registrationId,
        data: JSON.stringify(message),
      })
    const message = { title: 'Vous pouvez revoter', url: '/?sort=votes', stop: 'Ne plus me prévenir', lang: 'fr' }
    const textOf = (body) =>
      eventually(() =>
        page.evaluate(async (target) => {
          const registration = await navigator.serviceWorker.ready
          const notes = await registration.getNotifications()
          return notes.length === 1 && notes[0].body === target && notes[0].data.url
        }, body),
      )
    await deliver({ ...message, body: 'Loupgarde' })
    await textOf('Loupgarde')
    await deliver({ ...message, body: 'Loupgarde, Avalon' })
    assert.equal(await textOf('Loupgarde, Avalon'), '/?sort=votes')
    // A message in an unknown format shows no notification.
    await deliver({})
    await textOf('Loupgarde, Avalon')
    // The service worker stores no page for offline use.
    assert.deepEqual(await page.evaluate(() => caches.keys()), [])
  }))

test('site is installable and registers no service worker', () =>
  visiting({}, async (visit, page) => {
    await page.goto('/')
    await page.getByRole('article').first().waitFor()
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector('link[rel=manifest]')
      return (await fetch(href)).json()
    })
    assert.deepEqual([manifest.display, manifest.start_url, manifest.scope], ['standalone', '/', '/'])
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image()
        image.src = address
        await image.decode()
        return `${image.naturalWidth}x${image.naturalHeight}`
      }, src)
      assert.equal(size, sizes, src)
    }
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
    await visit.assertSteady()
  }))
