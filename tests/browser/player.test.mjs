// What a player comes back for: a favourite, a vote, its place in one's own history and among the voters, and the next
// round of votes. The proof of work is the real one, solved by the page's own workers; only its cost is lowered.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'

/** Somebody who has not voted yet. */
const EMAIL = 'new-player@palmares.test'
const PASSWORD = 'palmares-demo'

let server
let browser
/** Three servers of one game, by their votes. */
let targets

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } }), launch()])
  const { auth } = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  const made = await auth.admin.createUser({
    email: EMAIL,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { username: 'NewPlayer' },
  })
  assert.equal(made.error, null)
  const anyone = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await anyone
    .from('servers_public')
    .select('id, slug, name, game_rank, games!inner(slug)')
    .eq('games.slug', 'minecraft')
    .order('monthly_votes', { ascending: false })
    .limit(6)
  assert.equal(error, null)
  // Names that are stored as they are shown.
  targets = data.filter(({ name }) => !/[&']/.test(name)).slice(2, 5)
  assert.equal(targets.length, 3)
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
/** Waits until the element has the focus. */
const focused = (locator) => locator.and(locator.page().locator(':focus')).waitFor()

async function signIn(page) {
  await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bon retour parmi nous' })
  await dialog.getByLabel('Adresse e-mail').fill(EMAIL)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Se connecter' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function vote(page, target, nickname) {
  await page.goto(`/serveur/${target.slug}`)
  const button = page.getByRole('button', { name: `Voter pour ${target.name}` }).first()
  await button.click()
  const dialog = page.getByRole('dialog', { name: `Voter pour ${target.name}` })
  await dialog.getByLabel('Votre pseudo en jeu').fill(nickname)
  await dialog.getByRole('button', { name: 'Voter maintenant' }).click()
  await dialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
  return dialog
}

/** Moves the votes three hours into the past, for the site and for the browser. */
async function later(page) {
  await asOwner(server, "update public.votes set voted_at = voted_at - interval '3 hours'")
  await page.evaluate(() => localStorage.removeItem('palmares.next-votes'))
}

const card = (page, target) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: target.name, exact: true }) })

describe('a player', () => {
  test('saves favourites, votes and revotes by keyboard', () =>
    visiting({}, async (visit, page) => {
      const [first, second] = targets
      await page.goto('/favorites')
      await page.getByRole('heading', { level: 1, name: 'Connectez-vous pour continuer' }).waitFor()
      await signIn(page)
      await page.getByRole('heading', { name: 'Aucun favori pour le moment' }).waitFor()
      await visit.keepPicture('favorites-empty-desktop-dark')

      // The heart on a card, by keys.
      await page.goto(`/game/minecraft?sort=votes&q=${encodeURIComponent(first.name)}`)
      const heart = card(page, first).getByRole('button', { name: `Favori\u00a0: ${first.name}` })
      await heart.focus()
      await page.keyboard.press('Space')
      await page.locator('[aria-pressed=true]').first().waitFor()

      // The receipt tells the place of the server and of its voter, and what can be voted for next.
      const dialog = await vote(page, first, 'Pablo_1')
      await dialog.getByText(`${first.name} est n° `).waitFor()
      await dialog.getByText(/^Vous êtes n° \d+ des votants du mois\.$/).waitFor()
      await dialog.getByRole('button', { name: 'Copier l’adresse' }).click()
      await visit.assertAccessible('the receipt')
      await dialog.getByRole('region', { name: 'Votez aussi pour' }).getByRole('button').first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await (await vote(page, second, 'Pablo_1')).getByRole('button', { name: 'Terminé' }).click()

      // The page of own votes shows a countdown.
      await page.getByRole('banner').getByRole('link', { name: 'Mes votes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Mes votes' }).waitFor()
      const again = page.getByRole('list', { name: 'Revoter' })
      await again.getByRole('button', { name: `Voter pour ${first.name}, de nouveau possible à` }).waitFor()
      await page.getByText(`Prochain vote possible pour ${first.name} dans`).waitFor()
      const history = page.getByRole('region', { name: 'Historique' })
      await history.getByRole('link', { name: first.name }).first().waitFor()
      await history.getByText('sous Pablo_1').first().waitFor()

      // The leaderboard of voters has a line for the player.
      await page.getByRole('banner').getByRole('link', { name: 'Meilleurs votants' }).click()
      await page.getByRole('heading', { level: 1, name: 'Meilleurs votants' }).waitFor()
      await page.getByText('Vous', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Aujourd’hui' }).click()
      await page.getByRole('region', { name: 'Les votants d’aujourd’hui' }).getByText('Vous', { exact: true }).waitFor()
      assert.equal(new URL(page.url()).search, '?period=day')
      await page.getByRole('region', { name: 'Votre place' }).getByText(/^\d+ votes aujourd’hui$/).waitFor()
      await visit.lookAround('leaderboard')

      // Two hours later both can be voted for again: a key to begin, and one for each step.
      await later(page)
      await page.goto('/my-votes')
      const round = page.getByRole('button', { name: /^Voter pour \d+ serveurs$/ })
      await round.waitFor()
      await visit.lookAround('my-votes')
      const ready = Number((await round.innerText()).match(/\d+/)[0])
      assert.ok(ready >= 2)
      await round.focus()
      await page.keyboard.press('Enter')
      const loginDialog = page.getByRole('dialog')
      for (let place = 1; place <= 2; place += 1) {
        await loginDialog.getByText(`Vote ${place} sur ${ready}`).waitFor()
        await focused(loginDialog.getByRole('button', { name: 'Voter maintenant' }))
        await page.keyboard.press('Enter')
        await loginDialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
        if (place === 1) {
          await focused(loginDialog.getByRole('button', { name: /^Suivant/ }))
          await visit.glance('vote-round')
          await page.keyboard.press('Enter')
        }
      }
      await page.keyboard.press('Escape')
      await loginDialog.waitFor({ state: 'detached' })
      await again.getByRole('button', { name: `Voter pour ${second.name}, de nouveau possible à` }).waitFor()

      // The favourites show what has changed since the last visit.
      await page.goto('/favorites')
      await card(page, first).waitFor()
      await page.getByText('À votre prochaine visite').waitFor()
      await asOwner(
        server,
        `insert into public.server_events (server_id, event_type_key, title_fr, start_date, end_date)
         select '${first.id}', key, 'Nuit des builders', now(), now() + interval '2 days' from public.event_types limit 1`,
      )
      await page.evaluate((id) => {
        const key = Object.keys(localStorage).find((name) => name.startsWith('palmares.favorites-seen.'))
        const { current } = JSON.parse(localStorage.getItem(key))
        current.at -= 3 * 3_600_000
        current.standings[id].place += 2
        localStorage.setItem(key, JSON.stringify({ last: null, current }))
      }, first.id)
      await page.reload()
      await page.getByText('1 serveur monte').waitFor()
      await page.getByText('1 nouvel événement').waitFor()
      await card(page, first).getByText('Nuit des builders').waitFor()
      await visit.lookAround('favorites')
    }))

  test('shows votes of this browser without layout shift', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      const target = targets[2]
      await vote(page, target, 'Passante')
      await page.goto('/')
      const shelf = page.getByRole('region', { name: 'Vos votes dans ce navigateur' })
      await shelf.getByRole('button', { name: `Voter pour ${target.name}, de nouveau possible à` }).waitFor()
      await page.locator('#server-list[aria-busy=false] article').first().waitFor()
      await visit.assertSteady()
      await visit.glance('vote-shelf')

      // The game that was chosen last is one step away, and the vote is offered when its time has come.
      await page.goto('/game/rust')
      await page.locator('#server-list[aria-busy=false]').waitFor()
      await later(page)
      await page.goto('/')
      await shelf.getByRole('button', { name: `Voter pour ${target.name}`, exact: true }).waitFor()
      await shelf.getByRole('link', { name: /^Votre jeu/ }).click()
      await page.waitForURL('**/game/rust')
    }))

  test('reads the same in the other languages', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/')
      await signIn(page)
      for (const language of ['en', 'es']) {
        const t = textsOf(language)
        for (const [path, name] of [
          ['leaderboard?period=week', 'leaderboard'],
          ['my-votes', 'my-votes'],
          ['favorites', 'favorites'],
        ]) {
          await page.goto(`/${language}/${path}`)
          await page.getByRole('heading', { level: 1, name: t(`${name}:title`) }).waitFor()
          await visit.waitForQuietNetwork()
          await visit.assertAccessible(`${language} ${path}`, { colours: false })
        }
      }
    }))
})
