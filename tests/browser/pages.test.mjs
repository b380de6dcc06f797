// Public pages: games and their shortcuts, a server, pages that are not built yet, and addresses that do not exist.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { createClient } from '../support/client.mjs'
import { startServer } from '../support/server.mjs'

let server
let browser
/** A promoted server with reviews, and what the interface says about it. */
let shownServer

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
  const visitor = createClient(server.url, server.keys.ANON_KEY)
  const { data, error } = await visitor
    .from('servers_public')
    .select('id, slug, name, ip_address, monthly_votes, total_votes, games(name)')
    .eq('slug', 'loupgarde')
    .single()
  assert.equal(error, null)
  shownServer = data
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
const OWNER = { email: 'owner@palmares.test', password: 'palmares-demo' }
const heading = (page) => page.getByRole('heading', { level: 1 })

describe('a server’s page', () => {
  test('shows what players want to know', () =>
    visiting({}, async (visit, page) => {
      await page.goto(`/serveur/${shownServer.slug}`)
      await page.getByRole('heading', { level: 1, name: shownServer.name }).waitFor()
      const figures = page.getByRole('heading', { name: 'Statistiques' }).locator('xpath=ancestor::section')
      await figures.getByText(new Intl.NumberFormat('fr-FR').format(shownServer.total_votes)).waitFor()
      // The chart is drawn for the eye; the table beside it says the same.
      const history = page.getByRole('table', { name: 'Votes des 7 derniers jours' })
      await history.waitFor()
      assert.equal(await history.getByRole('row').count(), 8)
      await page.getByRole('heading', { name: 'Avis', exact: true }).waitFor()
      await visit.lookAround('server')
      await visit.keepPicture('server-whole-desktop', { whole: true })
      await page.setViewportSize(PHONE)
      await visit.keepPicture('server-whole-phone', { whole: true })
    }))

  test('without a banner stands before its game’s backdrop', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/?prestige=regular-only')
      await page.locator('#server-list article').getByRole('heading').getByRole('link').first().click()
      await page.getByRole('table', { name: 'Votes des 7 derniers jours' }).waitFor({ state: 'attached' })
      await visit.glance('server-regular')
    }))

  test('copies the address in one press', () =>
    visiting({}, async (_, page) => {
      await page.goto(`/serveur/${shownServer.slug}`)
      await page
        .getByRole('button', {
          name: `Adresse de connexion ${shownServer.ip_address} Copier`,
        })
        .click()
      await page.getByText('Adresse copiée').first().waitFor()
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shownServer.ip_address)
    }))

  for (const [path, language, title] of [
    [`/en/server/${'loupgarde'}`, 'en', 'Reviews'],
    [`/es/servidor/${'loupgarde'}`, 'es', 'Reseñas'],
  ]) {
    test(`links to its translations in ${language}`, () =>
      visiting({}, async (visit, page) => {
        await page.goto(path)
        await page.getByRole('heading', { level: 2, name: title }).waitFor()
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        await page.getByRole('contentinfo').getByRole('link', { name: 'Français' }).click()
        await page.locator('html[lang=fr]').waitFor()
        assert.equal(new URL(page.url()).pathname, '/serveur/loupgarde')
        await page.goBack()
        await page.getByRole('heading', { level: 2, name: title }).waitFor()
        await visit.assertAccessible(path, { colours: false })
      }))
  }

  test('opens by id with a visible vote button', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await page.goto(`/server/${shownServer.id}`)
      await page.getByRole('heading', { level: 1, name: shownServer.name }).waitFor()
      await page.getByRole('heading', { name: 'Reviews' }).scrollIntoViewIfNeeded()
      const vote = page.getByRole('button', { name: `Vote for ${shownServer.name}` }).last()
      const { y, height } = await vote.boundingBox()
      assert.ok(y > 0 && y + height <= PHONE.height, `at ${y}`)
      await visit.assertFits('server')
    }))

  test('links back to the list of origin', () =>
    visiting({}, async (_, page) => {
      await page.goto('/game/minecraft?sort=votes')
      await page.locator('#server-list article').getByRole('heading').getByRole('link').first().click()
      await page.getByRole('link', { name: 'Retour aux serveurs' }).click()
      await page.waitForURL('**/game/minecraft?sort=votes')
      await page.goto(`/serveur/${shownServer.slug}`)
      await page.getByRole('link', { name: 'Retour aux serveurs' }).click()
      await page.waitForURL('**/game/**')
    }))

  test('links back after a full page load', () =>
    visiting({}, async (_, page) => {
      await page.goto('/game/minecraft?sort=votes')
      const link = page.locator('#server-list article').getByRole('heading').getByRole('link').first()
      const href = await link.getAttribute('href')
      await Promise.all([page.waitForURL('**/serveur/**'), page.evaluate((to) => window.location.assign(to), href)])
      await page.waitForFunction(() => window.history.state?.idx === 0)
      await page.getByRole('link', { name: 'Retour aux serveurs' }).click()
      await page.waitForURL('**/game/minecraft?sort=votes')
    }))

  test('shows address and votes before its script loads', () =>
    visiting({ viewport: PHONE }, async (_, page) => {
      let release
      const held = new Promise((resolve) => (release = resolve))
      await page.route('**/assets/*.js', async (route) => {
        await held
        await route.continue()
      })
      await page.goto(`/serveur/${shownServer.slug}`, { waitUntil: 'commit' })
      const reading = page.locator('.reading')
      await reading.getByText(shownServer.ip_address).waitFor()
      await reading.getByText(`Votes ce mois-ci : ${shownServer.monthly_votes}`).waitFor()
      await reading.locator('p').first().waitFor()
      assert.equal(await reading.getByRole('navigation').count(), 0)
      release()
      await page.getByRole('table', { name: 'Votes des 7 derniers jours' }).waitFor({ state: 'attached' })
      assert.equal(await reading.count(), 0)
    }))

  test('throws nothing about while it comes', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await page.goto(`/serveur/${shownServer.slug}`)
      await page.getByRole('table', { name: 'Votes des 7 derniers jours' }).waitFor({ state: 'attached' })
      await visit.assertSteady()
    }))

  test('is visible only to its owner while hidden', () =>
    visiting({}, async (visit, page) => {
      const owner = createClient(server.url, server.keys.ANON_KEY)
      const { data: session } = await owner.auth.signInWithPassword(OWNER)
      const { data: ownServers } = await owner
        .from('servers_managed')
        .select('id, slug')
        .eq('owner_id', session.user.id)
        .eq('is_hidden', false)
        .order('monthly_votes')
        .limit(1)
        .single()
      await owner.rpc('set_server_visibility', {
        p_server_id: ownServers.id,
        p_visible: false,
      })
      visit.expectRefusal(404, `/serveur/${ownServers.slug}`)
      await page.goto(`/serveur/${ownServers.slug}`)
      await page.getByRole('heading', { level: 1, name: 'Serveur introuvable' }).waitFor()
      await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Adresse e-mail').fill(OWNER.email)
      await dialog.getByLabel('Mot de passe', { exact: true }).fill(OWNER.password)
      await page.keyboard.press('Enter')
      await page.getByText('Masqué : vous seul voyez cette page.').waitFor()
      await visit.keepPicture('server-hidden')
      await page.getByRole('button', { name: 'Afficher', exact: true }).click()
      await page.getByRole('region', { name: 'Votre serveur' }).waitFor()
    }))

  test('says so when the server is gone', () =>
    visiting({}, async (visit, page) => {
      visit.expectRefusal(404, '/serveur/never-was')
      await page.goto('/serveur/never-was')
      await page.getByRole('heading', { level: 1, name: 'Serveur introuvable' }).waitFor()
      await visit.glance('server-missing')
      await page.getByRole('link', { name: 'Voir le classement' }).click()
      await page.locator('#server-list article').first().waitFor()
    }))
})

test('views have at most one primary button', () =>
  visiting({}, async (visit, page) => {
    visit.expectRefusal(404, '/nulle/part')
    for (const path of ['/', '/game/minecraft', `/serveur/${shownServer.slug}`, '/leaderboard', '/nulle/part']) {
      await page.goto(path)
      await heading(page).waitFor()
      await visit.waitForQuietNetwork()
      const filled = await page.evaluate(() => {
        const probe = document.createElement('i')
        probe.style.background = 'var(--accent-fill)'
        document.body.append(probe)
        const colour = getComputedStyle(probe).backgroundColor
        probe.remove()
        const seen = (element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return element.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight
        }
        const cards = [...document.querySelectorAll('#server-list article')]
        return [...document.querySelectorAll('a, button')]
          .filter((element) => seen(element) && getComputedStyle(element).backgroundColor === colour)
          .map((element) => ({ card: cards.indexOf(element.closest('article')), text: element.textContent }))
      })
      // Each of the first three places is the best of its own card.
      const cards = filled.filter(({ card }) => card >= 0)
      assert.ok(cards.length <= 3 && new Set(cards.map(({ card }) => card)).size === cards.length, path)
      assert.ok(filled.length - cards.length <= 1, `${path}: ${filled.map(({ text }) => text).join(', ')}`)
    }
  }))

describe('a game’s page', () => {
  test('shows its servers before its own backdrop', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/game/minecraft')
      await page.getByRole('heading', { level: 1, name: 'Serveurs Minecraft' }).waitFor()
      await page.locator('#server-list article').first().waitFor()
      await page.locator('img[fetchpriority="low"][src="/pictures/games/minecraft/backdrop.svg"]').waitFor({ state: 'attached' })
      await visit.lookAround('game')
    }))

  for (const [path, title] of [
    ['/serveurs-gta-rp', 'Serveurs GTA RP'],
    ['/en/servers-wow', 'World of Warcraft servers'],
    ['/es/servidores-garry-mod', 'Servidores de Garry’s Mod'],
    ['/serveurs-dofus', 'Serveurs Dofus'],
  ]) {
    test(`has a short address: ${path}`, () =>
      visiting({}, async (visit, page) => {
        await page.goto(path)
        await page.locator('#server-list article').first().waitFor()
        assert.equal((await heading(page).innerText()).replace("'", '’'), title)
        assert.equal(new URL(page.url()).pathname, path)
        await visit.assertAccessible(path, { colours: path.startsWith('/serveurs') })
      }))
  }

  for (const [language, prefix] of [
    ['French', ''],
    ['English', '/en'],
    ['Spanish', '/es'],
  ]) {
    test(`fits narrow phones in ${language} for each game`, () =>
      visiting({ viewport: PHONE }, async (visit, page) => {
        const { data: games, error } = await createClient(server.url, server.keys.ANON_KEY)
          .from('games')
          .select('slug')
          .order('slug')
        assert.equal(error, null)
        assert.ok(games.length > 20, `${games.length} games`)
        await page.goto(`${prefix}/game/${games[0].slug}`)
        let shown = ''
        for (const { slug } of games) {
          const path = `${prefix}/game/${slug}`
          await visit.navigateInPage(path)
          await page.waitForFunction((shown) => ![undefined, shown].includes(document.querySelector('h1')?.innerText), shown)
          shown = await heading(page).innerText()
          // The count beside the title is rendered last.
          await page.locator('#server-list[aria-busy=false] [role=status]').first().getByText(/\d/).waitFor()
          for (const width of [320, 360, 390]) {
            await page.setViewportSize({ width, height: PHONE.height })
            await visit.assertFits(`${path} at ${width} pixels`)
          }
        }
      }))
  }

  test('is found at its old address', () =>
    visiting({}, async (_, page) => {
      await page.goto('/en/en/games/rust/?sort=votes')
      await page.getByRole('heading', { level: 1, name: 'Rust servers' }).waitFor()
      assert.match(page.url(), /\/en\/game\/rust\?sort=votes$/)
    }))
})

describe('what is not there', () => {
  for (const [path, title] of [
    ['/nulle/part', 'Ce niveau n’existe pas'],
    ['/en/no/where', 'This level doesn’t exist'],
    ['/es/ninguna/parte', 'Este nivel no existe'],
  ]) {
    test(`is a page of its own: ${path}`, () =>
      visiting({}, async (visit, page) => {
        visit.expectRefusal(404, path)
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await (path.startsWith('/e') ? visit.assertAccessible(path, { colours: false }) : visit.lookAround('not-found'))
      }))
  }
})

describe('what the law wants told', () => {
  test('shows legal pages with missing operator details', () =>
    visiting({}, async (visit, page) => {
      for (const [path, title] of [
        ['/privacy', 'Politique de confidentialité'],
        ['/terms', 'Conditions d’utilisation'],
        ['/terms-of-sale', 'Conditions de vente'],
      ]) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await page.getByText('Dernière mise à jour').waitFor()
        const warning = page.getByRole('note', { name: 'Attention' })
        await warning.getByText('son adresse', { exact: true }).waitFor()
        assert.doesNotMatch(await page.getByRole('article').innerText(), /\{\{/)
        await visit.glance(`legal${path.replace('/', '-')}`)
      }
    }))
})
