// Votes of a server: taken back with a reason, counters following, and the address of one banned.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'
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

const button = (within, name) => within.getByRole('button', { name, exact: true })
const one = async (sql) => (await asOwner(server, sql))[0]

test('votes are found and voided with a reason', async () => {
  const { id, slug } = await one(
    `select s.id, s.slug from public.servers as s join public.server_standings as t on t.server_id = s.id
     where t.is_listed order by t.monthly_votes desc, s.id limit 1`,
  )
  const totalQuery = 'select total_votes from public.server_standings where server_id ='
  const cast = (n) =>
    one(`select outcome from public.cast_vote('${id}', 'address ${n}', null, 'intrus_${n}')`)
  for (const n of [1, 2, 3]) await cast(n)
  const before = (await one(`${totalQuery} '${id}'`)).total_votes
  await Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/admin/votes')
    const main = page.getByRole('main')
    await button(main, t('access:signIn.enter')).click()
    const sign = page.getByRole('dialog', { name: t('auth:signIn.title') })
    await sign.getByLabel(t('auth:field.email')).fill('admin@palmares.test')
    await sign.getByLabel(t('auth:field.password'), { exact: true }).fill('palmares-demo')
    await button(sign, t('auth:signIn.submit')).click()
    await sign.waitFor({ state: 'detached' })
    await main.getByText(t('admin-votes:chooseServer')).waitFor()
    await visit.glance('admin-votes-none')
    await main.getByLabel(t('admin-votes:server')).fill(slug)
    await main.getByLabel(t('admin-votes:nickname')).fill('intrus')
    const boxes = main.getByRole('checkbox', { name: /intrus_/ })
    await boxes.nth(2).waitFor()
    await visit.glance('admin-votes')
    for (const n of [0, 1]) await boxes.nth(n).check()
    await button(main, t('admin-votes:act.voidChosen')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('admin-votes:void.reason')).selectOption('bought')
    await visit.glance('admin-votes-void')
    await button(dialog, t('admin-votes:void.submit')).click()
    await dialog.waitFor({ state: 'detached' })
    await boxes.nth(1).waitFor({ state: 'detached' })
    assert.equal((await one(`${totalQuery} '${id}'`)).total_votes, before - 2)
    assert.equal((await one(`select count(*)::int as n from public.voided_votes where reason = 'bought' and server_id = '${id}'`)).n, 2)
  })
})
