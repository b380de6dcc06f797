// A vote, from the button to the game server that asks for it. The proof of work is the real one, solved by the
// page's own workers; only its cost is lowered.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { eventually, startServer } from '../support/server.mjs'

const VOTE = '/functions/v1/vote'

let server
let browser
/** Servers of one owner, with the keys their plugins ask with. One for each test: they share an address. */
let targets

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } }), launch()])
  const owner = createClient(server.url, server.keys.ANON_KEY)
  const { data: session } = await owner.auth.signInWithPassword({
    email: 'owner@palmares.test',
    password: 'palmares-demo',
  })
  const { data, error } = await owner
    .from('servers_managed')
    .select('slug, name, monthly_votes, total_votes, api_token, games!inner(slug)')
    .eq('owner_id', session.user.id)
    .eq('is_approved', true)
    .eq('is_hidden', false)
    .order('monthly_votes', { ascending: false })
    .limit(4)
  assert.equal(error, null)
  // Stored as the page escapes it, shown as its owner wrote it.
  targets = data.map((row) => ({ ...row, name: row.name.replaceAll('&#x27;', "'").replaceAll('&amp;', '&') }))
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
/** Until the keyboard is there. */
const focused = (locator) => locator.and(locator.page().locator(':focus')).waitFor()
const inFrench = (number) => new Intl.NumberFormat('fr-FR').format(number)
/** Spaces of all kinds as one: between groups of digits stands one that does not break. */
const plain = (text) => text.replace(/\s+/g, ' ')

/** What the plugin of a game server hears about a player at this address. */
async function listenerVotes(target) {
  const answer = await fetch(`${server.url}/servers/${target.api_token}/votes/127.0.0.1`)
  return answer.json()
}

async function openDialog(page, target) {
  await page.goto(`/serveur/${target.slug}`)
  await page
    .getByRole('button', { name: `Voter pour ${target.name}` })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: `Voter pour ${target.name}` })
  await dialog.getByText('Vérification anti-robot terminée').waitFor()
  return dialog
}

describe('a vote', () => {
  test('is counted once within two hours', async () => {
    const [target] = targets
    assert.equal((await listenerVotes(target)).success, false)
    await visiting({}, async (visit, page) => {
      const dialog = await openDialog(page, target)
      await visit.lookAround('vote-dialog')
      await dialog.getByLabel('Votre pseudo en jeu').fill('Nova_42')
      await dialog.getByRole('button', { name: 'Voter maintenant' }).click()
      await dialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
      assert.equal(plain(await dialog.locator('strong').first().innerText()), plain(inFrench(target.monthly_votes + 1)))
      // The vote ends with the place it brought and the next thing to do.
      await dialog.getByText(`${target.name} est n° `).waitFor()
      const otherServers = dialog.getByRole('region', { name: 'Votez aussi pour' })
      await otherServers.getByRole('button', { name: 'Voter pour ' }).first().waitFor()
      await visit.glance('vote-counted')
      await dialog.getByRole('button', { name: 'Terminé' }).click()
      await dialog.waitFor({ state: 'detached' })
      // The page has asked again: its figures are the database's, and the button counts down.
      const total = page.locator('dl, section').getByText(inFrench(target.total_votes + 1))
      await total.first().waitFor()
      await page
        .getByRole('button', { name: `Voter pour ${target.name}, de nouveau possible à` })
        .first()
        .waitFor()
    })

    const { success, data } = await listenerVotes(target)
    assert.equal(success, true)
    assert.equal(data.username, 'Nova_42')
    assert.ok(data.next_vote_seconds > 7000 && data.next_vote_seconds <= 7200)

    // Another browser at the same address remembers nothing; the server does.
    await visiting({}, async (visit, page) => {
      const dialog = await openDialog(page, target)
      await dialog.getByLabel('Votre pseudo en jeu').fill('Someone_else')
      visit.expectRefusal(429, VOTE)
      await page.keyboard.press('Enter')
      await dialog.getByRole('heading', { name: 'Déjà voté' }).waitFor()
      assert.match(
        plain(await dialog.getByText('Revenez dans').innerText()),
        /Revenez dans (2 heures|1 heure 59 minutes)/,
      )
      await visit.glance('vote-refused')
      await dialog.getByRole('button', { name: 'D’accord' }).click()
      await dialog.waitFor({ state: 'detached' })
    })
    assert.deepEqual((await listenerVotes(target)).data.username, 'Nova_42')
  })

  test('is cast from the list with keys alone', () =>
    visiting({}, async (_, page) => {
      const target = targets[1]
      await page.goto(`/game/${target.games.slug}?sort=votes`)
      const card = page
        .locator('#server-list article')
        .filter({ has: page.getByRole('heading', { name: target.name, exact: true }) })
      const button = card.getByRole('button', { name: `Voter pour ${target.name}` })
      await button.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Votre pseudo en jeu')
      await dialog.getByText('Vérification anti-robot terminée').waitFor()
      await focused(field)
      // The focus goes round inside.
      for (let step = 0; step < 6; step += 1) {
        await page.keyboard.press('Tab')
        await dialog.locator(':focus').waitFor()
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await focused(button)

      await page.keyboard.press('Enter')
      await field.waitFor()
      await page.keyboard.type('Clavier')
      await page.keyboard.press('Enter')
      await dialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await card.getByText(inFrench(target.monthly_votes + 1), { exact: true }).waitFor()
      await button.getByText(/^1:59:\d\d$/).waitFor()
      assert.equal((await listenerVotes(target)).data.username, 'Clavier')
      // Asked again, the dialog opens on the wait.
      await button.click()
      await dialog.getByRole('heading', { name: 'Déjà voté' }).waitFor()
    }))

  test('is not sent with an invalid nickname', () =>
    visiting({}, async (visit, page) => {
      const target = targets[2]
      const sent = []
      page.on('request', (request) => sent.push(new URL(request.url()).pathname))
      const dialog = await openDialog(page, target)
      const field = dialog.getByLabel('Votre pseudo en jeu')
      for (const [name, problem] of [
        ['', 'Le pseudo doit contenir entre 2 et 50 caractères.'],
        ['x', 'Le pseudo doit contenir entre 2 et 50 caractères.'],
        ['<script>', 'Caractères non autorisés dans le pseudo.'],
      ]) {
        await field.fill(name)
        await page.keyboard.press('Enter')
        await dialog.getByText(problem).waitFor()
        assert.equal(await field.getAttribute('aria-invalid'), 'true')
      }
      await visit.assertAccessible('vote dialog with a problem')
      await visit.keepPicture('vote-dialog-problem')
      assert.deepEqual(
        sent.filter((path) => path === VOTE),
        [],
      )
      assert.equal((await listenerVotes(target)).success, false)
    }))

  test('in the other languages', () =>
    visiting({}, async (visit, page) => {
      for (const [path, name, ready] of [
        ['/en/server/', 'Vote for ', 'Bot check complete'],
        ['/es/servidor/', 'Votar por ', 'Comprobación antirrobots terminada'],
      ]) {
        await page.goto(path + targets[3].slug + '?vote=1')
        const dialog = page.getByRole('dialog', { name: name + targets[3].name })
        await dialog.getByText(ready).waitFor()
        assert.equal(new URL(page.url()).search, '')
        await visit.assertAccessible(path, { colours: false })
      }
    }))
})

describe('the whole path', () => {
  test('leads from sign-up to a vote for plugins', () =>
    visiting({ record: 'the-whole-path' }, async (visit, page) => {
      const target = targets[3]
      await page.goto('/')
      await page.locator('#server-list[aria-busy=false] article').first().waitFor()

      await page.getByRole('banner').getByRole('button', { name: 'Inscription' }).click()
      const account = page.getByRole('dialog', { name: 'Créer un compte' })
      await account.getByLabel('Nom d’utilisateur').fill('Camille')
      await account.getByLabel('Adresse e-mail').fill('camille@example.org')
      await account.getByLabel('Mot de passe', { exact: true }).fill('un bon secret')
      await account.getByRole('button', { name: 'Créer mon compte' }).click()
      await page.getByRole('dialog', { name: 'Plus qu’une étape' }).waitFor()
      const mail = await eventually(async () => {
        const mails = await (await fetch(`${server.url}/mailbox`)).json()
        return mails.find((one) => one.to === 'camille@example.org')
      })
      await page.goto(mail.text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)[0])
      await page.getByRole('button', { name: 'Mon compte : camille' }).waitFor()

      await page.getByRole('main').getByRole('combobox').fill(target.name.slice(0, 6))
      await page.getByRole('option').filter({ hasText: target.name }).click()
      await page.getByRole('heading', { level: 1, name: target.name }).waitFor()
      await page
        .getByRole('button', { name: `Voter pour ${target.name}` })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Votre pseudo en jeu').fill('Camille_1')
      await dialog.getByRole('button', { name: 'Voter maintenant' }).click()
      await dialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
      await dialog.getByRole('button', { name: 'Terminé' }).click()
      await page
        .getByRole('button', { name: `Voter pour ${target.name}, de nouveau possible à` })
        .first()
        .waitFor()
      const { success, data } = await listenerVotes(target)
      assert.deepEqual({ success, username: data.username }, { success: true, username: 'Camille_1' })

      await page.getByRole('button', { name: 'Mon compte : camille' }).click()
      await page.getByRole('button', { name: 'Se déconnecter' }).click()
      await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).waitFor()
      await visit.keepPicture('the-whole-path-end')
    }))
})
