// Widgets as other sites show them: framed from another origin by each of the three codes, in every format and theme,
// and made on the page that writes those codes.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const FORMATS = ['badge', 'button', 'banner']
const THEMES = ['light', 'dark', 'retro']

let server
let browser
let otherSite
let shownServer
let html = ''

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
  ;[shownServer] = await asOwner(
    server,
    `select s.id, s.slug from public.servers s join auth.users u on u.id = s.owner_id
     where u.email = 'owner@palmares.test' order by s.created_at limit 1`,
  )
  otherSite = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html)).listen(0, '127.0.0.1')
  await once(otherSite, 'listening')
})
after(async () => {
  otherSite?.close()
  await Promise.all([browser?.close(), server?.stop()])
})

/** A page of another site with this in it. */
async function onAnotherSite(content, look) {
  html = `<!doctype html><html lang="en"><title>Elsewhere</title><body style="background:#8a8f98;margin:16px">${content}`
  const url = `http://localhost:${otherSite.address().port}`
  await Visit.during(browser, { url }, async (visit, page) => {
    await page.goto('/')
    await look(page, visit)
  })
}

test('embedded widgets link to the vote dialog', async () => {
  const frames = FORMATS.flatMap((format) =>
    THEMES.map((theme) => {
      const address = `${server.url}/widget/${shownServer.id}?format=${format}&theme=${theme}&lang=en&size=medium&nickname=Ada`
      return `<iframe src="${address}" title="${format} ${theme}" width="468" height="96" style="border:0;display:block;margin:4px"></iframe>`
    }),
  )
  await onAnotherSite(frames.join(''), async (page, visit) => {
    for (const format of FORMATS)
      for (const theme of THEMES) {
        const link = page.frameLocator(`iframe[title="${format} ${theme}"]`).getByRole('link')
        await link.waitFor()
        assert.equal(await link.getAttribute('href'), `${server.url}/en/server/${shownServer.slug}?vote=1&nickname=Ada`)
      }
    await visit.keepPicture('widgets', { whole: true })
  })
})

test('only widgets can be embedded in other sites', async () => {
  const script = `<script async src="${server.url}/widget.js" data-server="${shownServer.id}" data-format="banner" data-theme="dark" data-title="W"></script>`
  const picture = `<img alt="badge" src="${server.url}/widget/${shownServer.id}.svg?theme=retro">`
  await onAnotherSite(`${script}${picture}`, async (page) => {
    await page.frameLocator('iframe[title="W"]').getByText('Voter', { exact: true }).waitFor()
    const badgeImage = page.getByRole('img', { name: 'badge' })
    await badgeImage.waitFor()
    assert.equal(await badgeImage.evaluate((image) => image.decode().then(() => image.naturalHeight)), 28)
  })
  for (const path of ['/', `/server/${shownServer.id}`, '/widget']) {
    const { headers } = await fetch(server.url + path)
    assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY')
  }
})

test('widget is cached, missing server returns 404', async () => {
  const address = `${server.url}/widget/${shownServer.id}?format=badge`
  const first = await fetch(address)
  assert.match(first.headers.get('cache-control'), /public, max-age=60/)
  const headers = { 'if-none-match': first.headers.get('etag') }
  assert.equal((await fetch(address, { headers })).status, 304)
  for (const path of ['/widget/00000000-0000-4000-8000-000000000000', '/widget/%3Cscript%3E', '/widget/x.svg']) {
    const missing = await fetch(server.url + path)
    assert.equal(missing.status, 404, path)
    const text = await missing.text()
    assert.match(text, /Serveur introuvable/)
    assert.doesNotMatch(text, /<script/)
  }
})

test('badge image shows updated votes after cache expiry', async () => {
  const address = `${server.url}/widget/${shownServer.id}.svg?lang=en`
  const first = await fetch(address)
  assert.equal(first.headers.get('cache-control'), 'public, max-age=10, stale-if-error=86400')
  const before = await first.text()
  const headers = { 'if-none-match': first.headers.get('etag') }
  assert.equal((await fetch(address, { headers })).status, 304)
  await asOwner(server, `update public.server_standings set monthly_votes = monthly_votes + 1000 where server_id = '${shownServer.id}'`)
  const changed = async () => {
    const answer = await fetch(address, { headers })
    return answer.status === 200 && answer
  }
  // The server keeps figures for ten seconds.
  const next = await eventually(changed)
  assert.notEqual(await next.text(), before)
})

test('owners preview a widget and copy its code', async () => {
  const t = textsOf('fr')
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/creator-tools')
    await signIn(page, t)
    await page.getByRole('heading', { level: 1, name: t('creator-tools:title') }).waitFor()
    await page.getByText(t('creator-tools:format.banner'), { exact: true }).click()
    await page.getByText(t('creator-tools:theme.retro'), { exact: true }).click()
    const preview = page.frameLocator('main iframe[src^="/widget/"]')
    await preview.getByText('Voter', { exact: true }).waitFor()
    const code = page.getByRole('figure').filter({ hasText: t('creator-tools:code.iframe') })
    await code.getByRole('button', { name: t('ui:copy.do') }).click()
    await code.getByRole('button', { name: t('ui:copy.done') }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, /^<iframe src="[^"]+\/widget\/[0-9a-f-]{36}\?format=banner&amp;size=medium&amp;theme=retro/)
    const overlay = page.frameLocator('main iframe[src^="/overlay/"]')
    await overlay.getByRole('heading', { level: 1 }).waitFor()
    await visit.lookAround('creator-tools')
  })
})

async function signIn(page, t) {
  await page.getByRole('main').getByRole('button', { name: t('access:signIn.enter'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('auth:signIn.title'), exact: true })
  await dialog.getByLabel(t('auth:field.email')).fill('owner@palmares.test')
  await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill('palmares-demo')
  await dialog.getByRole('button', { name: t('auth:signIn.submit'), exact: true }).click()
}
