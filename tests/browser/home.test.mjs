// The ranking as visitors meet it: in three languages, two widths and two themes, searched, filtered, sorted and
// leafed through.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { DESKTOP, PHONE, Visit, launch } from '../support/browser.mjs'
import { startServer } from '../support/server.mjs'

const HOMES = [
  {
    path: '/',
    language: 'fr',
    title: 'Les meilleurs serveurs privés, classés par leurs joueurs',
  },
  {
    path: '/en',
    language: 'en',
    title: 'The best private servers, ranked by their players',
  },
  {
    path: '/es',
    language: 'es',
    title: 'Los mejores servidores privados, ordenados por sus jugadores',
  },
]
const API = /^\/(rest|functions|auth)\/v1\//

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)

const cards = (page) => page.locator('#server-list article')
const names = (page) => cards(page).getByRole('heading', { level: 3 }).allTextContents()
const numberIn = (text) => Number(text.replace(/\D/g, ''))
/** The figures of a column of the list, as numbers. */
const months = async (page) => {
  const told = await cards(page)
    .locator('p[title]')
    .evaluateAll((all) => all.map(({ title }) => title))
  return told.map(numberIn)
}

/** Where something stands on the page, in pixels from its top. */
const place = (locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return { top: top + scrollY, bottom: bottom + scrollY }
  })

/** Opens a page with a list and waits for it. */
async function open(page, path) {
  await page.goto(path)
  await listed(page)
}
const listed = (page) => page.locator('#server-list[aria-busy=false] ol:not([data-stale]) article').first().waitFor()

/** Does what changes the list, which says that it is being fetched in the same instant, and waits for it. */
async function listAfter(page, act) {
  await act()
  await listed(page)
}

describe('the home page', () => {
  for (const { path, language, title } of HOMES) {
    test(`in ${language}`, () =>
      visiting({}, async (visit, page) => {
        await open(page, path)
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        assert.equal((await page.getByRole('heading', { level: 1 }).innerText()).replace(/\s+/g, ' '), title)
        assert.equal(await cards(page).count(), 25)
        await visit.lookAround(`home-${language}`)
      }))
  }

  test('shows the list from what is written into it, before it asks for anything', () =>
    visiting({}, async (visit, page) => {
      // As slow as a phone, so that nothing is fast by luck.
      const devtools = await visit.context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector('#server-list article')) return
          performance.mark('list')
          observer.disconnect()
        }).observe(document, { childList: true, subtree: true })
      })
      await open(page, '/')
      const asked = await page.evaluate(() => {
        const [{ startTime: shown }] = performance.getEntriesByName('list')
        return performance
          .getEntriesByType('resource')
          .filter((entry) => entry.startTime < shown)
          .map((entry) => new URL(entry.name).pathname)
      })
      assert.deepEqual(
        asked.filter((path) => API.test(path)),
        [],
      )
      assert.ok(asked.length > 0)
    }))

  test('is made by less than 150 kB of script, as it comes over the wire', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      await page.waitForLoadState('networkidle')
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
          .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
      )
      const sum = scripts.reduce((all, { encodedBodySize }) => all + encodedBodySize, 0)
      assert.ok(scripts.length > 0 && sum > 0 && sum < 150_000, JSON.stringify(scripts))
    }))

  test('shows the first server on the first screen of a phone, and what comes before it pushes nothing down', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await open(page, '/')
      await visit.assertSteady()
      const { top } = await place(cards(page).first())
      assert.ok(top < PHONE.height, `the first card begins at ${top}`)
    }))

  test('shows one whole card and the podium on the first screen of a desktop', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const { bottom } = await place(cards(page).first())
      assert.ok(bottom <= DESKTOP.height, `the first card ends at ${bottom}`)
      const podium = page.getByRole('list', { name: 'Les trois premiers' }).filter({ visible: true })
      assert.equal(await podium.getByRole('link').count(), 3)
      assert.ok((await place(podium)).bottom < DESKTOP.height)
    }))

  test('as a whole, with what comes further down', () =>
    visiting({}, async (visit, page) => {
      await open(page, '/')
      await visit.keepPicture('home-whole-desktop', { whole: true })
      await page.setViewportSize(PHONE)
      await visit.keepPicture('home-whole-phone', { whole: true })
    }))
})

describe('the list', () => {
  test('is sorted by what is asked for, and the address keeps it', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      await listAfter(page, () => page.getByRole('button', { name: 'Plus votés' }).click())
      assert.match(page.url(), /\?sort=votes$/)
      const promoted = await page.locator('#server-list article', { hasText: 'Prestige' }).count()
      const figures = await months(page)
      for (const part of [figures.slice(0, promoted), figures.slice(promoted)])
        assert.deepEqual(
          part,
          part.toSorted((a, b) => b - a),
        )
      const shown = await names(page)
      await page.reload()
      await listed(page)
      assert.deepEqual(await names(page), shown)
    }))

  test('is filtered by game, by tag and by promotion', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const count = async () => numberIn(await page.locator('#server-list').getByRole('status').first().innerText())
      const all = await count()
      await listAfter(page, () => page.getByRole('button', { name: 'Prestige', exact: true }).click())
      const promoted = await count()
      assert.equal(await page.locator('#server-list article', { hasText: 'Prestige' }).count(), Math.min(promoted, 25))
      await listAfter(page, () => page.getByRole('button', { name: 'Standard' }).click())
      assert.equal(promoted + (await count()), all)
      assert.equal(await page.locator('#server-list article', { hasText: 'Prestige' }).count(), 0)
      await listAfter(page, () => page.getByRole('button', { name: 'Tous', exact: true }).click())

      await listAfter(page, () => page.getByRole('navigation', { name: 'Choisir un jeu' }).getByText('Rust').click())
      assert.match(page.url(), /\/game\/rust$/)
      await page.getByRole('heading', { level: 1, name: 'Serveurs Rust', exact: true }).waitFor()
      await listed(page)
      const inGame = await count()
      assert.ok(inGame >= 1 && inGame < all, `${inGame} of ${all}`)
      assert.equal(await cards(page).locator('a[href="/game/rust"]').count(), Math.min(inGame, 25))

      const tags = page.getByRole('button', { name: 'Tags' })
      await tags.click()
      // The panel stays with its button when the page moves.
      await page.getByRole('dialog', { name: 'Tags' }).waitFor()
      await page.mouse.wheel(0, 120)
      await page.waitForFunction(() => {
        const opener = document.querySelector('#server-list button[aria-expanded=true]')
        const opened = document.querySelector('[role=dialog]')
        if (opener === null || opened === null) return false
        const [button, shown] = [opener.getBoundingClientRect(), opened.getBoundingClientRect()]
        const gaps = [shown.top - button.bottom, button.top - shown.bottom]
        return scrollY > 0 && gaps.some((gap) => gap >= 0 && gap <= 16)
      })
      await page.getByRole('searchbox', { name: 'Chercher un tag' }).fill('vanil')
      await listAfter(page, () => page.getByRole('checkbox', { name: 'Vanilla' }).check())
      await page.keyboard.press('Escape')
      const tagged = await count()
      assert.ok(tagged >= 1 && tagged < inGame, `${tagged} of ${inGame}`)
      await listAfter(page, () => page.getByRole('button', { name: 'Retirer le tag Vanilla' }).click())
      assert.equal(await count(), inGame)
    }))

  test('has pages that are links, each with other servers', () =>
    visiting({}, async (_, page) => {
      await open(page, '/?sort=votes')
      const first = await names(page)
      const pages = page.getByRole('navigation', {
        name: 'Pages du classement',
      })
      await listAfter(page, () => pages.getByRole('link', { name: 'Page suivante' }).click())
      assert.match(page.url(), /\?sort=votes&page=2$/)
      assert.equal(await pages.getByRole('link', { name: 'Page 2' }).getAttribute('aria-current'), 'page')
      const second = await names(page)
      assert.equal(second.length, 25)
      assert.deepEqual(
        second.filter((name) => first.includes(name)),
        [],
      )
      assert.ok(await page.evaluate(() => document.getElementById('server-list').getBoundingClientRect().top < 200))
      // From a server far down the second page the way back leads to that place.
      await cards(page).nth(20).scrollIntoViewIfNeeded()
      // The click itself may move the page, so that the heading does not lie under the controls.
      await page.evaluate(() =>
        addEventListener('click', () => (window.left = scrollY), {
          capture: true,
          once: true,
        }),
      )
      await cards(page).nth(20).getByRole('heading').click()
      await page.waitForURL(/\/serveur\//)
      const far = await page.evaluate(() => window.left)
      await page.goBack()
      await listed(page)
      await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 40, far)
      await page.goBack()
      await page.getByRole('heading', { level: 3, name: first[0], exact: true }).waitFor()
      assert.deepEqual(await names(page), first)
      // Another order begins at the first page again.
      await listAfter(page, () => pages.getByRole('link', { name: 'Page 3' }).click())
      await listAfter(page, () => page.getByRole('button', { name: 'Plus récents' }).click())
      assert.match(page.url(), /\?sort=recent$/)
    }))

  test('keeps its controls in reach however far one has read, and shows its last page for those past the end', () =>
    visiting({}, async (_visit, page) => {
      await open(page, '/?sort=votes&page=999')
      const pages = page.getByRole('navigation', {
        name: 'Pages du classement',
      })
      assert.equal(await pages.getByRole('link').last().getAttribute('aria-current'), 'page')
      await open(page, '/?sort=votes')
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport)
        await cards(page).last().scrollIntoViewIfNeeded()
        const { y } = await page.getByRole('button', { name: 'Tags' }).boundingBox()
        const { height } = await page.getByRole('banner').boundingBox()
        assert.ok(y >= height && y < height + 60, `the controls stand at ${y}`)
      }
      await listAfter(page, () => page.getByRole('combobox', { name: 'Trier par' }).selectOption('recent'))
      assert.match(page.url(), /\?sort=recent$/)
    }))

  test('says so when nothing fits, and offers the way back', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/game/rust?tag=no-such-tag')
      await page.getByRole('heading', { name: 'Aucun serveur avec ces filtres' }).waitFor()
      await visit.glance('home-nothing-found')
      await listAfter(page, () => page.getByRole('button', { name: 'Retirer les filtres' }).click())
      assert.match(page.url(), /\/game\/rust$/)
    }))
})

describe('the search', () => {
  test('finds by part of a name, with keys alone', () =>
    visiting({}, async (visit, page) => {
      await open(page, '/')
      const [name] = await names(page)
      const field = page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' })
      await field.fill(name.slice(1, 5))
      await page.getByRole('option').filter({ hasText: name }).waitFor()
      // Five servers at most, beside games, tags and the way to all that is found.
      const servers = page.getByRole('option').filter({ hasText: 'votes' })
      assert.ok((await servers.count()) <= 5)
      await visit.glance('search')
      while ((await page.locator('[role=option][aria-selected=true]', { hasText: name }).count()) === 0)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      assert.match(page.url(), /\/serveur\/[^/]+$/)
    }))

  for (const [typed, kind, found, path] of [
    ['minecraft', 'Jeux', 'Minecraft', /^\/game\/minecraft$/],
    ['mincraft', 'Jeux', 'Minecraft', /^\/game\/minecraft$/],
    ['evenements', 'Tags', 'Événements', /^\/\?tag=/],
    ['iles d ambrelune', 'Serveurs', 'Les Îles d', /^\/serveur\//],
    ['loupgrade', 'Serveurs', 'Loupgarde', /^\/serveur\/loupgarde$/],
  ])
    test(`finds what is meant by “${typed}”`, () =>
      visiting({}, async (_, page) => {
        await open(page, '/')
        await page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' }).fill(typed)
        const results = page.getByRole('listbox')
        const hit = results.getByRole('option').filter({ hasText: found }).first()
        await hit.waitFor()
        await results.getByText(kind, { exact: true }).waitFor()
        await hit.click()
        await page.waitForURL((url) => path.test(url.pathname + url.search))
      }))

  test('leads to all servers of that name, listed at an address of their own', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await open(page, '/')
      const field = page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' })
      await field.fill('rp')
      await listAfter(page, () => page.getByRole('option', { name: /^Voir tous les serveurs pour « rp »/ }).click())
      await page.waitForURL(/\?q=rp$/)
      await page.getByText('Nom : rp').waitFor()
      // What was looked for is in sight.
      await page.waitForFunction(() => {
        const { top } = document.getElementById('server-list').getBoundingClientRect()
        return top >= 0 && top < 200
      })
      const shown = await names(page)
      assert.ok(shown.length > 1 && shown.every((name) => /rp/i.test(name)), shown.join(', '))
      await visit.glance('search-results')
      visit.expectRefusal(416, '/rest/v1/servers_public')
      await page.goto('/?q=RP&page=9')
      await listed(page)
      assert.deepEqual((await names(page)).toSorted(), shown.toSorted(), 'past the end is the last page')
      await listAfter(page, () => page.getByText('Nom : RP').click())
      assert.equal(new URL(page.url()).search, '')
    }))

  test('says that nothing is called so', () =>
    visiting({}, async (_, page) => {
      await page.goto('/serveur/loupgarde')
      await page.getByRole('banner').getByRole('combobox').fill('zzzzqq')
      await page.getByText('Rien ne correspond à « zzzzqq ».').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Rien ne correspond').waitFor({ state: 'detached' })
    }))

  test('is there once: the header’s makes way for the page’s, and stands in when that is scrolled away', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const own = page.getByRole('banner').getByRole('combobox')
      await own.waitFor({ state: 'hidden' })
      const { x: before } = await page.getByRole('button', { name: 'Connexion' }).boundingBox()
      await cards(page).last().scrollIntoViewIfNeeded()
      await own.waitFor()
      assert.equal((await page.getByRole('button', { name: 'Connexion' }).boundingBox()).x, before)
      // Whoever is typing in it is left alone.
      await own.fill('lo')
      await page.evaluate(() => scrollTo(0, 0))
      await page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' }).waitFor()
      assert.ok(await own.isVisible())
    }))

  test('is in the menu on a phone, with the games and the languages', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await open(page, '/')
      await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await menu.getByRole('link', { name: 'Minecraft' }).waitFor()
      await visit.keepPicture('menu-phone-dark')
      await visit.assertAccessible('menu')
      await page.emulateMedia({ colorScheme: 'light' })
      await visit.keepPicture('menu-phone-light')
      await visit.assertAccessible('menu, light')
      await listAfter(page, () => menu.getByRole('link', { name: 'Minecraft' }).click())
      await menu.waitFor({ state: 'detached' })
      assert.match(page.url(), /\/game\/minecraft$/)
    }))
})

describe('the language', () => {
  test('is switched in place, kept, and taken up again where the address says nothing', () =>
    visiting({}, async (_, page) => {
      await open(page, '/serveurs-minecraft?sort=votes')
      const shown = await names(page)
      await page.getByRole('button', { name: 'Langue : Français' }).click()
      await page.getByRole('link', { name: 'English' }).first().click()
      await page.locator('html[lang=en]').waitFor()
      assert.match(page.url(), /\/en\/servers-minecraft\?sort=votes$/)
      await page.getByRole('heading', { name: 'Minecraft servers', level: 1 }).waitFor()
      assert.deepEqual(await names(page), shown)
      await open(page, '/')
      assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    }))
})

describe('the theme', () => {
  test('follows the system until it is chosen, and the choice is kept', () =>
    visiting({ theme: 'dark' }, async (_, page) => {
      const until = (scheme) =>
        page.waitForFunction((wanted) => {
          const [red] = getComputedStyle(document.body).backgroundColor.match(/\d+/)
          return Number(red) > 128 === (wanted === 'light')
        }, scheme)
      await open(page, '/')
      await until('dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await until('light')
      await page.getByRole('button', { name: 'Passer au thème sombre' }).click()
      await until('dark')
      await page.reload()
      await listed(page)
      await until('dark')
      await page.getByRole('button', { name: 'Passer au thème clair' }).waitFor()
    }))
})
