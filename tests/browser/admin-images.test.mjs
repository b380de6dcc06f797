// The image optimizer: started by an administrator, killed in the middle, resumed when the site is back, and failed
// pictures tried again. In French only, looked at on both screens.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { signInAs } from '../support/demo.mjs'
import { eventually, freePort, scratchFolder, startAfterKill, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const say = (key, values) => textsOf('fr')(`admin-images:${key}`, values)

/** A PNG of 512 by 512 pixels. */
const PNG = readFileSync(new URL('../../storage/pictures/brand/icon-512.png', import.meta.url))
const PICTURES = 12

let server
let browser
let scratch

before(async () => {
  scratch = scratchFolder()
  const port = await freePort()
  ;[server, browser] = await Promise.all([
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false' }, dataDir: scratch.path, port }),
    launch(),
  ])
  const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY).storage.from('server-images')
  const put = async (name, bytes) => {
    const { error } = await service.upload(name, bytes, { contentType: 'image/png', cacheControl: '60' })
    assert.equal(error, null)
  }
  for (let number = 10; number < 10 + PICTURES; number += 1) await put(`club/logo-${number}.png`, PNG)
  await put('club/torn.png', PNG.subarray(0, 900))
})
after(async () => {
  await Promise.all([browser?.close(), server?.stop()])
  scratch?.remove()
})

// A run pauses as long as it worked, so its duration depends on the machine.
const WHOLE_RUN = 600_000

const run = async () =>
  (await asOwner(server, 'select *, finished_at is not null as is_over from public.image_runs order by started_at desc'))[0]

test('image optimization survives a crash and retries failures', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const button = (name) => main.getByRole('button', { name, exact: true })
    await signInAs(page, server, 'admin@palmares.test')
    await page.goto('/admin/images')
    await main.getByText(say('never')).waitFor()
    await visit.glance('admin-images-idle')

    await button(say('start')).click()
    await button(say('stop')).waitFor()
    await main.getByRole('progressbar').waitFor()
    await visit.glance('admin-images-running')
    await eventually(async () => (await run()).optimized > 1)
    const port = Number(new URL(server.url).port)
    // The page asks how far the run is, and every unanswered request would count as a fault of its own.
    await page.goto('about:blank')
    await server.kill()
    server = await startAfterKill(() =>
      startServer({ env: { COMPAT_RATE_LIMITS: 'false' }, dataDir: scratch.path, port }),
    )
    const before = await run()
    assert.ok(!before.is_over && before.optimized < PICTURES, JSON.stringify(before))
    // The interrupted check would wait until its lease ends.
    await asOwner(server, 'update public.image_checks set leased_until = null where leased_until is not null')
    await eventually(async () => (await run()).is_over, { within: WHOLE_RUN })
    const { total, optimized, skipped, failed } = await run()
    assert.deepEqual({ total, optimized, skipped, failed }, { total: PICTURES + 1, optimized: PICTURES, skipped: 0, failed: 1 })
    const picture = await fetch(`${server.url}/storage/v1/object/public/server-images/club/logo-10.png`)
    assert.equal(picture.headers.get('content-type'), 'image/webp')
    assert.ok((await picture.arrayBuffer()).byteLength < PNG.length * 0.9)

    await page.goto('/admin/images')
    await main.getByRole('link', { name: 'club/torn.png' }).waitFor()
    await main.getByText(say('reasons.broken')).waitFor()
    await visit.glance('admin-images-failed')
    await button(say('again')).click()
    await main.getByText(say('history')).waitFor()
    await eventually(async () => (await run()).retries_failed && (await run()).is_over, { within: WHOLE_RUN })
    await main.getByRole('list', { name: say('history') }).getByRole('listitem').nth(1).waitFor()
  }))

test('nobody else starts it', async () => {
  const player = createClient(server.url, server.keys.ANON_KEY)
  assert.equal((await player.rpc('start_image_optimization')).error.code, '42501')
  await player.auth.signInWithPassword({ email: 'player@palmares.test', password: 'palmares-demo' })
  assert.equal((await player.rpc('start_image_optimization')).error.code, '42501')
  assert.equal((await player.rpc('stop_image_optimization')).error.code, '42501')
  assert.deepEqual((await player.from('image_runs').select('id')).data, [])
})
