// Moderation: cases decided by keyboard, the reports behind them, and the accounts, where only a founder changes roles and
// a ban is announced and revoked. In French only, each page looked at on both screens.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { signInAs } from '../support/demo.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const t = textsOf('fr')

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

/** Reports by the demonstration's player, of listings that are shown. */
async function report(count) {
  await asOwner(
    server,
    `insert into public.reports (server_id, reporter_id, reason)
     select s.id, p.id, 'spam'
     from public.servers as s, public.profiles as p
     where p.username = 'Pablo' and s.is_approved and not s.is_hidden and s.owner_id is not null
     order by s.name
     limit ${count}`,
  )
  // Cases opened at the same time have no defined order, so reports of listings are made older than those of reviews.
  await asOwner(server, "update public.moderation_cases set opened_at = opened_at - interval '1 day' where kind = 'report' and review_id is null")
}

test('a moderator works by keyboard alone', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const say = (key, values) => t(`admin-moderation:${key}`, values)
    await report(3)
    await signInAs(page, server, 'admin@palmares.test')

    await page.goto('/admin/moderation?kind=report')
    await main.getByRole('button', { name: say('act.dismissed') }).waitFor()
    await visit.glance('moderation-desk')
    const first = await one("select id from public.moderation_cases where kind = 'report' order by opened_at, id limit 1")

    await page.keyboard.press('1')
    const decision = async ({ id }) =>
      (await one(`select concat_ws(' ', decision, taken_back_at is not null) as is from public.moderation_cases where id = '${id}'`)).is
    await eventually(async () => (await decision(first)) === 'dismissed f')

    await eventually(() => !page.url().includes(first.id) && page.url().includes('case='))
    const second = new URL(page.url()).searchParams.get('case')
    // The buttons disappear when the next case is chosen, and return when it is loaded.
    await main.locator(`[aria-current][href*="${second}"]`).waitFor()
    await main.getByRole('button', { name: say('act.disabled') }).waitFor()
    await page.keyboard.press('2')
    await window.getByLabel(say('reason')).selectOption('spam')
    await window.getByLabel(say('statement')).fill('Votre page ne fait que de la publicité.')
    await visit.glance('moderation-decision')
    await window.getByRole('button', { name: say('act.disabled') }).click()
    await window.waitFor({ state: 'detached' })
    await eventually(async () => (await decision({ id: second })) === 'disabled f')

    // A slip: the last decision is taken back by its key.
    await main.getByText(say('keys.undo')).first().waitFor()
    await page.keyboard.press('z')
    await eventually(async () => (await decision({ id: second })) === 'disabled t')

    await page.goto('/admin/moderation?state=decided')
    await main.getByText(say('takenBack')).first().waitFor()
    await visit.glance('moderation-decided')

    await page.goto('/admin/reports')
    await main.getByRole('table').waitFor()
    await visit.glance('moderation-reports')
  }))

test('a second moderator sees who decided', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const say = (key, values) => t(`admin-moderation:${key}`, values)
    await signInAs(page, server, 'admin@palmares.test')
    const open = await one("select id from public.moderation_cases where kind = 'report' and decision is null limit 1")
    await page.goto(`/admin/moderation?case=${open.id}`)
    await main.getByRole('button', { name: say('act.dismissed') }).waitFor()
    await asOwner(
      server,
      `update public.moderation_cases set decision = 'dismissed', decided_at = now(),
       decided_by = (select id from public.profiles where username = 'Fanny') where id = '${open.id}'`,
    )
    visit.expectRefusal(400, /decide_case/)
    await page.keyboard.press('1')
    await page.getByText(say('refusal.decided')).waitFor()
    await main.getByText(/Fanny a décidé/).waitFor()
  }))

test('founder changes roles, bans and unbans players', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const say = (key, values) => t(`admin-users:${key}`, values)
    const person = async () => one("select role, is_banned, banned_until is not null as ends from public.profiles where username = 'Pablo'")
    const menu = async (item) => {
      await main.getByRole('button', { name: t('table:actionsOf', { name: 'Pablo' }), exact: true }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await signInAs(page, server, 'founder@palmares.test')
    await page.goto('/admin/users')
    await main.getByRole('table').waitFor()
    await visit.glance('moderation-users')
    await page.goto('/admin/users?name=Pablo')

    await menu(say('act.role'))
    await window.getByLabel(say('role')).selectOption('admin')
    await window.getByRole('button', { name: say('act.role') }).click()
    await window.waitFor({ state: 'detached' })
    assert.equal((await person()).role, 'admin')

    await menu(say('act.ban'))
    await window.getByLabel(t('admin-moderation:reason')).selectOption('cheating')
    await window.getByLabel(t('admin-moderation:statement')).fill('Des votes en double.')
    await window.getByLabel(t('admin-moderation:days')).fill('7')
    await visit.glance('moderation-ban')
    await window.getByRole('button', { name: say('act.ban') }).click()
    await window.waitFor({ state: 'detached' })
    assert.deepEqual(await person(), { role: 'admin', is_banned: true, ends: true })
    await menu(say('act.unban'))
    await eventually(async () => !(await person()).is_banned)

    await page.goto('/admin/users?view=bans')
    await main.getByRole('button', { name: say('add.nickname') }).click()
    await window.getByLabel(say('what.nickname')).fill('tricheur*')
    await window.getByRole('button', { name: say('add.nickname') }).click()
    await window.waitFor({ state: 'detached' })
    await main.getByText('tricheur*').waitFor()
    await visit.glance('moderation-bans')
  }))

test('warned player appeals and the decision is overturned', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const say = (key, values) => t(`decisions:${key}`, values)
    await asOwner(
      server,
      `begin;
       select set_config('request.jwt.claims', json_build_object('sub', id, 'role', 'authenticated')::text, true)
       from public.profiles where username = 'Ada';
       select public.sanction_account(id, 'warning', 'spam', 'Trois annonces du même serveur.')
       from public.profiles where username = 'Octave';
       commit`,
    )
    await signInAs(page, server, 'owner@palmares.test')
    await page.goto('/profile')
    const decisions = main.getByRole('region', { name: say('title') })
    await decisions.getByText('Trois annonces du même serveur.').waitFor()
    await decisions.scrollIntoViewIfNeeded()
    await visit.glance('moderation-decisions')
    await decisions.getByRole('button', { name: say('object'), exact: false }).first().click()
    await window.getByLabel(say('message')).fill('Il n’y en avait qu’une.')
    await visit.glance('moderation-appeal')
    await window.getByRole('button', { name: say('send') }).click()
    await window.waitFor({ state: 'detached' })
    await decisions.getByText(say('appeal.waiting')).waitFor()

    await Visit.during(browser, { url: server.url }, async (_, desk) => {
      await signInAs(desk, server, 'founder@palmares.test')
      await desk.goto('/admin/moderation?kind=appeal')
      await desk.getByText('Il n’y en avait qu’une.').waitFor()
      await desk.getByRole('main').getByRole('button', { name: t('admin-moderation:act.overturned') }).click()
      await eventually(async () => (await one("select decision as is from public.moderation_cases where kind = 'appeal'")).is === 'overturned')
    })
    await page.reload()
    await decisions.getByText(say('appeal.overturned')).waitFor()
  }))

test('banned player appeals by mail link', async () => {
  await asOwner(
    server,
    `begin;
     select set_config('request.jwt.claims', json_build_object('sub', id, 'role', 'authenticated')::text, true)
     from public.profiles where username = 'Ada';
     select public.sanction_account(id, 'ban', 'cheating', 'Des votes en double.', 7)
     from public.profiles where username = 'Olivia';
     commit;
     update public.moderation_cases set decided_at = now() - interval '5 minutes' where sanction = 'ban' and label = 'Olivia';
     update public.mail_queue set due_at = now() where kind = 'decision'`,
  )
  const notice = async () => {
    const mails = await (await fetch(`${server.url}/mailbox`)).json()
    return mails.find(({ to, text }) => to === 'owner2@palmares.test' && text.includes('/appeal?'))
  }
  const mail = await eventually(notice, { within: 90_000 })
  const link = new URL(/\S+\/appeal\?\S+/.exec(mail.text)[0])
  const say = (key) => t(`appeal:${key}`)
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    await page.goto(link.pathname + link.search)
    await main.getByLabel(say('message')).fill('C’était mon frère.')
    await visit.glance('appeal')
    await main.getByRole('button', { name: say('send'), exact: true }).click()
    await main.getByRole('heading', { level: 1, name: say('filed.title') }).waitFor()
    await visit.glance('appeal-sent')
  })
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    await signInAs(page, server, 'founder@palmares.test')
    await page.goto('/admin/moderation?kind=appeal')
    await page.getByText('C’était mon frère.').waitFor()
    await visit.glance('moderation-appeal-case')
    await page.getByRole('main').getByRole('button', { name: t('admin-moderation:act.overturned') }).click()
    await eventually(async () => !(await one("select is_banned from public.profiles where username = 'Olivia'")).is_banned)
  })
})
