// A review from both its sides: a player writes and changes it, the owner of the server answers it, everybody reads it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

const PASSWORD = 'palmares-demo'

let server
let browser
/** A server of the demonstration's owner, without a review of the player. */
let target

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } }), launch()])
  const owner = createClient(server.url, server.keys.ANON_KEY)
  const { data: session } = await owner.auth.signInWithPassword({ email: 'owner@palmares.test', password: PASSWORD })
  const { data, error } = await owner
    .from('servers_public')
    .select('id, slug, game_rank, games(name)')
    .eq('owner_id', session.user.id)
    .eq('is_prestige', true)
    .limit(1)
    .single()
  assert.equal(error, null)
  target = data
  await asOwner(
    server,
    `delete from public.reviews where server_id = '${target.id}';
     delete from public.server_daily_counts where server_id = '${target.id}' and day > public.site_today() - 7`,
  )
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)

async function fillSignIn(page, t, name) {
  const dialog = page.getByRole('dialog', { name: t('auth:signIn.title'), exact: true })
  await dialog.getByLabel(t('auth:field.email')).fill(`${name}@palmares.test`)
  await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: t('auth:signIn.submit'), exact: true }).click()
}

/** Signs in from the own profile, which asks for it. */
async function signIn(page, t, prefix, name, username) {
  await page.goto(`${prefix}/profile`)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: t('access:signIn.enter'), exact: true }).click()
  await fillSignIn(page, t, name)
  await main.getByRole('heading', { level: 1, name: username, exact: true }).waitFor()
}

describe('a review', () => {
  test('is written and edited by a signed-in player', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      const t = textsOf('fr')
      await page.goto(`/serveur/${target.slug}`)
      await page.getByRole('button', { name: t('server-page:reviews.write') }).click()
      await fillSignIn(page, t, 'player')
      const form = page.getByRole('form', { name: t('server-page:reviews.form.title') })
      await form.getByRole('radio').first().focus()
      for (let stars = 1; stars < 4; stars += 1) await page.keyboard.press('ArrowRight')
      await form.getByLabel(t('server-page:reviews.form.comment')).focus()
      await page.keyboard.type('Une équipe qui écoute.')
      await form.getByRole('button', { name: t('server-page:reviews.form.submit') }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Une équipe qui écoute.', { exact: true }).waitFor()
      await visit.glance('review-own')

      await page.getByRole('button', { name: t('server-page:reviews.edit'), exact: true }).click()
      const change = page.getByRole('form', { name: t('server-page:reviews.form.changeTitle') })
      const comment = change.getByLabel(t('server-page:reviews.form.comment'))
      assert.equal(await comment.inputValue(), 'Une équipe qui écoute.')
      await comment.fill('Une équipe qui écoute, <script>alert(1)</script> et qui répond.')
      await change.getByRole('button', { name: t('server-page:reviews.form.save') }).click()
      await page.getByText(/^Une équipe qui écoute,\s+et qui répond\.$/).waitFor()
      await page.getByText(/^modifié/).waitFor()
    }))

  test('is answered by the owner of the server', () =>
    visiting({}, async (visit, page) => {
      const t = textsOf('en')
      await signIn(page, t, '/en', 'owner', 'Octave')
      await page.goto(`/en/server/${target.slug}`)
      const bar = page.getByRole('region', { name: t('server-page:owner.title'), exact: true })
      await bar.getByText(t('server-page:vote.place', { rank: target.game_rank, game: target.games.name })).waitFor()
      const copied = bar.locator('dl > div', { hasText: t('server-page:owner.copies') })
      await copied.getByText('0 today').waitFor()
      const copyResponse = page.waitForResponse((answer) => answer.url().endsWith('/functions/v1/server-copy'))
      await page.getByRole('button', { name: t('server-page:connect.title') }).click()
      assert.deepEqual(await (await copyResponse).json(), { counted: true })
      await bar.getByRole('link', { name: t('server-page:owner.unanswered_one', { formatted: 1 }) }).click()

      const reviews = page.getByRole('region', { name: t('server-page:reviews.title'), exact: true })
      await reviews.getByRole('button', { name: /^Reply to the review by / }).click()
      const form = reviews.getByRole('form')
      await visit.lookAround('review-answering')
      await form.getByLabel(t('server-page:reviews.answer.label')).fill('Merci ! À ce soir ?')
      await form.getByRole('button', { name: t('server-page:reviews.answer.submit') }).click()
      await reviews.getByText('Merci ! À ce soir ?', { exact: true }).waitFor()
      await bar.getByRole('link', { name: t('server-page:owner.unanswered_one', { formatted: 1 }) }).waitFor({ state: 'detached' })
      await reviews.getByRole('button', { name: t('server-page:reviews.edit'), exact: true }).click()
      await form.getByLabel(t('server-page:reviews.answer.label')).fill('Merci ! À demain soir.')
      await form.getByRole('button', { name: t('server-page:reviews.form.save') }).click()
      await reviews.getByText('Merci ! À demain soir.', { exact: true }).waitFor()
      await visit.lookAround('review-answered')
      await page.reload()
      await copied.getByText('1 today').waitFor()
    }))

  test('is shown with its answer in each locale', () =>
    visiting({ locale: 'es-ES' }, async (_, page) => {
      for (const [language, path] of [
        ['fr', '/serveur'],
        ['es', '/es/servidor'],
      ]) {
        await page.goto(`${path}/${target.slug}`)
        const t = textsOf(language)
        const reviews = page.getByRole('region', { name: t('server-page:reviews.title'), exact: true })
        await reviews.getByText(t('server-page:reviews.answer.title')).waitFor()
        await reviews.getByText('Merci ! À demain soir.', { exact: true }).waitFor()
      }
      const t = textsOf('es')
      await signIn(page, t, '/es', 'player', 'Pablo')
      const ownReviews = page.getByRole('region', { name: t('profile:reviews.title'), exact: true })
      await ownReviews.getByText('Merci ! À demain soir.').waitFor()
    }))
})
