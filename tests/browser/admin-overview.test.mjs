// The administration's first page, the pages it leads to, and who may open any page of the administration. In French only.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { signInAs } from '../support/demo.mjs'
import { startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const t = textsOf('fr')
const PAGES = JSON.parse(readFileSync(new URL('../../frontend/src/lib/pages.json', import.meta.url), 'utf8'))
const ADMIN = Object.entries(PAGES).filter(([, { area }]) => area === 'admin')

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false' } }),
    launch(),
  ])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const one = async (sql) => (await asOwner(server, sql))[0]

/** Every page of the administration, with a server in addresses that need one. */
async function addresses() {
  const { id } = await one('select id from public.servers order by name limit 1')
  return ADMIN.map(([key, { path }]) => [key, `/${path.replace(':serverId', id)}`])
}

test('admin pages open for administrators only', async () => {
  assert.ok(ADMIN.length >= 20, 'pages of the administration')
  for (const [email, refusal] of [
    [null, 'access:signIn.title'],
    ['player@palmares.test', 'access:staff.title'],
    ['owner@palmares.test', 'access:staff.title'],
    ['admin@palmares.test', null],
  ])
    await Visit.during(browser, { url: server.url }, async (_, page) => {
      if (email !== null) await signInAs(page, server, email)
      for (const [key, path] of await addresses()) {
        await page.goto(path)
        const title = refusal === null ? null : t(refusal)
        const heading = page.getByRole('main').getByRole('heading', { level: 1, ...(title && { name: title, exact: true }) })
        await heading.waitFor()
        if (title === null) {
          assert.notEqual(await heading.textContent(), t('access:staff.title'), key)
          assert.equal(await page.getByRole('navigation', { name: t('areas:admin.nav') }).count(), 1, key)
        } else assert.equal(await page.getByRole('navigation', { name: t('areas:admin.nav') }).count(), 0, `${email}: ${key}`)
      }
    })
})

test('overview links to pending, failing and unusual items', async () => {
  const { id, slug, name } = await one(
    `select s.id, s.slug, s.name from public.servers as s join public.server_standings as t on t.server_id = s.id
     where t.is_listed and s.name ~ '^[A-Za-z0-9 ]+$' order by t.monthly_votes desc, s.id limit 1`,
  )
  await asOwner(
    server,
    `insert into public.server_daily_counts (server_id, day, votes) values ('${id}', public.site_today(), 9000)
     on conflict (server_id, day) do update set votes = excluded.votes;
     insert into public.vote_outcomes (server_id, day, reason, votes) values ('${id}', public.site_today(), 'captcha', 900)
     on conflict (server_id, day, reason) do update set votes = excluded.votes;
     insert into public.delivery_lanes (server_id, channel, due_at, failures, failing_since)
     values ('${id}', 'webhook', now() + interval '1 day', 40, now() - interval '5 hours')
     on conflict (server_id, channel) do update
     set due_at = excluded.due_at, failures = excluded.failures, failing_since = excluded.failing_since;
     insert into public.reports (server_id, reporter_id, reason)
     select '${id}', p.id, 'spam' from public.profiles as p where p.username = 'Pablo';
     update public.moderation_cases set opened_at = now() - interval '2 days' where kind = 'report' and server_id = '${id}'`,
  )
  await one('select public.keep_site_figures(now(), 1000)')
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const say = (key, values) => t(`admin-overview:${key}`, values)
    await signInAs(page, server, 'admin@palmares.test')
    await page.goto('/admin')
    await main.getByRole('link', { name: say('odd.server', { of: name }), exact: true }).waitFor()
    const region = main.getByRole('region', { name: say('odd.title') })
    await region.getByRole('link', { name: say('odd.refused', { of: t('vote-outcomes:reason.captcha') }) }).waitFor()
    const fails = main.getByRole('region', { name: say('fails.title') })
    await fails.getByText(say('fails.receiver.title', { name })).waitFor()
    await fails.getByRole('link', { name: say('fails.particulars.title', { formatted: '7' }) }).waitFor()
    await visit.glance('admin-overview')

    await main.getByRole('link', { name: say('odd.server', { of: name }), exact: true }).click()
    await page.waitForURL(/\/admin\/votes/)
    assert.equal(new URL(page.url()).searchParams.get('server'), slug)
    await page.goBack()
    await main.getByRole('region', { name: say('waits.title') }).getByRole('link', { name: say('waits.report') }).click()
    await page.waitForURL(/\/admin\/moderation\?kind=report/)
  })
})

test('a visitor sees that sign-up is closed', async () => {
  await asOwner(server, "update public.site_settings set setting_value = 'false' where setting_key = 'registration_open'")
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/profile')
    await page.getByRole('main').getByRole('button', { name: t('access:signIn.join'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('auth:signUp.closed')).waitFor()
    assert.equal(await dialog.getByLabel(t('auth:field.username')).count(), 0)
    await visit.glance('sign-up-closed')
  })
})
