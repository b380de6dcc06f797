// Maintaining the catalogue: a tag, a proposal accepted in other words and one refused, the order of games, a kind of
// event. In French only, each page looked at on both screens.
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

test('the catalogue is kept', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const button = (name, within = window) => within.getByRole('button', { name, exact: true })
    const cat = (key, values) => t(`admin-catalogue:${key}`, values)
    const menu = async (name, item) => {
      await button(t('table:actionsOf', { name }), main).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await signInAs(page, server, 'admin@palmares.test')

    await page.goto('/admin/tags')
    await button(cat('tags.add'), main).click()
    await window.getByLabel(cat('tags.name')).fill('Speedrun 2')
    for (const language of ['Français', 'English', 'Español']) {
      const names = window.getByRole('radiogroup', { name: t('form:localized.label', { field: cat('tags.names') }) })
      await names.getByRole('radio', { name: language }).check()
      await window.getByLabel(cat('tags.names'), { exact: true }).fill(`Vitesse ${language}`)
    }
    await visit.glance('admin-tag-form')
    await button(cat('save')).click()
    await window.waitFor({ state: 'detached' })
    await main.getByText('Vitesse English').waitFor()
    await visit.glance('admin-tags')
    await menu('Speedrun 2', t('table:delete'))
    await button(t('table:delete'), page.getByRole('alertdialog')).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await main.getByText('Vitesse English').waitFor({ state: 'detached' })

    await page.goto('/admin/tag-proposals')
    await button(cat('proposals.acceptOf', { name: 'Cozy' }), main).waitFor()
    await visit.glance('admin-tag-proposals')
    await button(cat('proposals.acceptOf', { name: 'Cozy' }), main).click()
    await window.getByLabel(cat('tags.names'), { exact: true }).fill('Tranquille')
    await button(cat('proposals.accept')).click()
    await window.waitFor({ state: 'detached' })
    await button(cat('proposals.refuseOf', { name: 'Parkour' }), main).click()
    await window.getByLabel(cat('proposals.reason')).fill('Trop proche de « Aventure ».')
    // Another moderator decided first: the second one sees a notice, and nothing is overwritten.
    await asOwner(server, "update public.tag_proposals set status = 'rejected', reviewed_at = now() where name = 'Parkour'")
    visit.expectRefusal(400, /reject_tag_proposal/)
    await button(cat('proposals.refuse')).click()
    await window.getByText(cat('proposals.decided')).waitFor()
    await page.keyboard.press('Escape')
    await page.goto('/admin/tag-proposals?status=all')
    await main.getByText('Cozy').waitFor()
    const tag = await one("select name_fr, name_en from public.server_tags where name = 'Cozy'")
    assert.deepEqual(tag, { name_fr: 'Tranquille', name_en: 'Cozy' })

    await page.goto('/admin/games')
    const [first, second] = await asOwner(server, 'select name from public.games order by sort_order nulls last, id limit 2')
    await button(t('table:actionsOf', { name: second.name }), main).waitFor()
    await visit.glance('admin-games')
    await menu(second.name, cat('games.up'))
    await eventually(async () => {
      const now = await asOwner(server, 'select name from public.games order by sort_order nulls last, id limit 2')
      return now[0].name === second.name && now[1].name === first.name
    })
    await button(cat('games.add'), main).click()
    await window.getByLabel(cat('games.name')).fill('Terraria')
    await visit.glance('admin-game-form')
    await button(cat('save')).click()
    await window.waitFor({ state: 'detached' })
    const game = await one("select slug, is_active from public.games where name = 'Terraria'")
    assert.deepEqual(game, { slug: 'terraria', is_active: true })

    await page.goto('/admin/event-types')
    await main.getByRole('table').waitFor()
    await visit.glance('admin-event-types')
  }))

test('administrator suspends, restores and transfers a server', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const say = (key, values) => t(`admin-servers:${key}`, values)
    const button = (name, within = window) => within.getByRole('button', { name, exact: true })
    const { id, name } = await one(
      `select s.id, s.name from public.servers as s
       where s.is_approved and not s.is_hidden and s.name ~ '^[A-Za-z0-9 ]+$' order by s.created_at desc limit 1`,
    )
    const menu = async (item) => {
      await button(t('table:actionsOf', { name }), main).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const state = async () => (await one(`select public.server_state(s) from public.servers as s where id = '${id}'`)).server_state
    await signInAs(page, server, 'admin@palmares.test')

    await page.goto('/admin/servers')
    await main.getByRole('table').waitFor()
    await visit.glance('admin-servers')
    await page.goto(`/admin/servers?${new URLSearchParams({ name, state: 'shown' })}`)
    await menu(say('act.suspend'))
    await window.getByLabel(say('reason')).fill('Adresse trompeuse.')
    await visit.glance('admin-server-suspend')
    await button(say('act.suspend')).click()
    await window.waitFor({ state: 'detached' })
    assert.equal(await state(), 'suspended')

    await page.goto(`/admin/servers?${new URLSearchParams({ name, state: 'suspended' })}`)
    await main.getByText('Adresse trompeuse.').waitFor()
    await menu(say('act.restore'))
    await eventually(async () => (await state()) === 'shown')

    await page.goto(`/admin/servers?${new URLSearchParams({ name })}`)
    await menu(say('act.owner'))
    await window.getByRole('combobox').fill('Pab')
    await page.getByRole('option', { name: /Pablo/ }).click()
    await button(say('act.owner')).click()
    await window.waitFor({ state: 'detached' })
    const owner = await one(
      `select p.username from public.servers as s join public.profiles as p on p.id = s.owner_id where s.id = '${id}'`,
    )
    assert.deepEqual(owner, { username: 'Pablo' })

    await page.goto(`/admin/webhooks/${id}`)
    await main.getByRole('heading', { level: 1, name: say('webhooksOf', { name }) }).waitFor()
    await main.getByRole('heading', { level: 2, name: t('integrations:log.title') }).waitFor()
    await visit.glance('admin-webhooks')

    await page.goto('/')
    await main.getByRole('button', { name: /^Administrer / }).first().click()
    await page.getByRole('menu').waitFor()
    await visit.keepPicture('admin-card-menu')
    await page.keyboard.press('Escape')
  }))

test('settings are saved, missing legal details are reported', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const say = (key, values) => t(`admin-settings:${key}`, values)
    await signInAs(page, server, 'admin@palmares.test')
    await page.goto('/admin/settings')
    await main.getByText(say('missing')).waitFor()
    await visit.glance('admin-settings')
    await main.getByLabel(say('fields.sellerName.label')).fill('Palmarès SAS')
    await main.getByLabel(say('fields.baseServerLimit.label')).fill('5')
    await main.getByRole('button', { name: t('form:save.submit'), exact: true }).click()
    await page.getByText(say('saved.title')).waitFor()
    const row = await one(
      `select (select setting_value from public.site_settings where setting_key = 'seller_name') as name,
              (select setting_value from public.site_settings where setting_key = 'base_server_limit') as most`,
    )
    assert.deepEqual(row, { name: '"Palmarès SAS"', most: '5' })
  }))

test('partners are added, checked and shown in footers', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    const main = page.getByRole('main')
    const window = page.getByRole('dialog')
    const words = (key, values) => t(`partners:${key}`, values)
    await signInAs(page, server, 'admin@palmares.test')
    await page.goto('/admin/partners-backlinks')
    await main.getByText(words('faults.noLink')).waitFor()
    await main.getByRole('button', { name: words('add') }).click()
    const field = (name) => window.getByLabel(words(name), { exact: true })
    await field('name').fill('La Taverne')
    await field('url').fill('nulle part')
    await window.getByRole('button', { name: words('save'), exact: true }).click()
    await window.getByText(t('form:problem.webAddress')).waitFor()
    await field('url').fill('https://taverne.example')
    // The server never makes requests to private addresses.
    await window.getByLabel(words('backlink')).fill('http://10.0.0.1/liens')
    await field('position').fill('5')
    await visit.glance('admin-partner-form')
    await window.getByRole('button', { name: words('save'), exact: true }).click()
    await window.waitFor({ state: 'detached' })
    const row = main.getByRole('row').filter({ hasText: 'La Taverne' })
    await row.getByText(words('faults.notPublic')).waitFor()
    await visit.glance('admin-partners')
    await page.goto('/')
    const foot = page.getByRole('contentinfo')
    await foot.scrollIntoViewIfNeeded()
    const named = foot.getByRole('navigation', { name: t('shell:footer.partners') })
    await named.getByRole('link', { name: 'La Taverne' }).waitFor()
    await visit.glance('footer-partners')
  }))
