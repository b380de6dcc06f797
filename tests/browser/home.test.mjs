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
    title: 'Los mejores servidores privados, según los votos',
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
  const cardTexts = await cards(page)
    .locator('p[data-tooltip]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.tooltip))
  return cardTexts.map(numberIn)
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

/** Performs an action that changes the list, and waits for the new list. */
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
        // The ranking's part of the page: those promoted servers whose places come later are on later pages.
        const cardCount = await cards(page).count()
        assert.ok(cardCount > 12 && cardCount <= 25, `${cardCount} cards`)
        await (language === 'fr' ? visit.lookAround('home-fr') : visit.glance(`home-${language}`, { colours: false }))
      }))
  }

  test('shows the list before any API request', () =>
    visiting({}, async (_, page) => {
      // The interface never answers, so that nothing is fast by luck.
      await page.route(({ pathname }) => API.test(pathname), () => {})
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector('#server-list article')) return
          performance.mark('list')
          observer.disconnect()
        }).observe(document, { childList: true, subtree: true })
      })
      await open(page, '/')
      const timing = await page.evaluate(() => {
        const [{ startTime: listTime }] = performance.getEntriesByName('list')
        return performance
          .getEntriesByType('resource')
          .filter((entry) => entry.startTime < listTime)
          .map((entry) => new URL(entry.name).pathname)
      })
      assert.deepEqual(
        timing.filter((path) => API.test(path)),
        [],
      )
      assert.ok(timing.length > 0)
    }))

  test('loads less than 150 kB of compressed script', () =>
    visiting({}, async (visit, page) => {
      await open(page, '/')
      await visit.waitForQuietNetwork()
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
          .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
      )
      const sum = scripts.reduce((all, { encodedBodySize }) => all + encodedBodySize, 0)
      assert.ok(scripts.length > 0 && sum > 0 && sum < 150_000, JSON.stringify(scripts))
    }))

  for (const { path, language } of HOMES) {
    test(`shows the ranking early on phones in ${language}`, () =>
      visiting({ viewport: PHONE }, async (visit, page) => {
        await open(page, path)
        await visit.assertSteady()
        const [first, second] = [await place(cards(page).nth(0)), await place(cards(page).nth(1))]
        assert.ok(first.top < 480, `the first card begins at ${first.top}`)
        assert.ok(first.bottom <= PHONE.height, `the first card ends at ${first.bottom}`)
        assert.ok(second.top < PHONE.height - 80, `the second card begins at ${second.top}`)
      }))
  }

  test('shows the first three above the desktop fold', () =>
    visiting({}, async (visit, page) => {
      await open(page, '/')
      await visit.assertSteady()
      const podium = page.getByRole('list', { name: 'Les trois premiers' })
      assert.equal(await podium.getByRole('article').count(), 3)
      assert.equal(await podium.getByRole('button', { name: /^Voter/ }).count(), 3)
      for (const index of [0, 1, 2]) {
        const { bottom } = await place(podium.getByRole('article').nth(index))
        assert.ok(bottom <= DESKTOP.height, `card ${index + 1} ends at ${bottom}`)
      }
    }))

  test('shows the first three once at each width', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const first = (await names(page)).slice(0, 3)
      // The column beside the list is rendered when it comes near the screen.
      await cards(page).nth(2).scrollIntoViewIfNeeded()
      await page.locator('#arcade-title').waitFor()
      for (const width of [320, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        for (const name of first) {
          const heading = page.locator('#server-list').getByRole('heading', { name, exact: true })
          assert.equal(await heading.count(), 1, `${name} at ${width}`)
          const row = page.getByRole('list', { name: 'Sponsorisé' })
          assert.equal(await row.getByText(name, { exact: true }).count(), 0, `${name} at ${width}`)
        }
        assert.deepEqual(
          await cards(page).evaluateAll((all) => all.slice(0, 4).map(({ dataset }) => dataset.metal ?? null)),
          ['gold', 'silver', 'bronze', null],
        )
        const third = await place(cards(page).nth(2))
        const fourth = await place(cards(page).nth(3))
        for (const besides of ['#event-title', '#arcade-title']) {
          const { top } = await place(page.locator(besides))
          assert.ok(top > third.bottom && top < fourth.top, `${besides} at ${width} stands at ${top}`)
        }
      }
    }))

  test('has one row of sponsored servers', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const row = page.getByRole('list', { name: 'Sponsorisé' })
      for (const [width, most] of [
        [320, 2],
        [390, 2],
        [800, 3],
        [1440, 4],
      ]) {
        await page.setViewportSize({ width, height: 900 })
        const tiles = row.getByRole('link').filter({ visible: true })
        const tops = await tiles.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
        assert.ok(tops.length > 0 && tops.length <= most, `${tops.length} at ${width}`)
        assert.equal(new Set(tops).size, 1, `one row at ${width}`)
      }
      // The first places are shown as full cards, at their places.
      const places = await months(page)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => b - a),
      )
      assert.ok((await page.locator('#server-list article', { hasText: 'Sponsorisé' }).count()) > 1)
      // A link leads to all of them.
      await listAfter(page, () => page.getByRole('link', { name: 'Tout voir' }).click())
      assert.match(page.url(), /\?prestige=prestige-only$/)
    }))

  test('fits every phone, in every language', () =>
    visiting({ viewport: PHONE }, async (_, page) => {
      for (const path of [
        '/',
        '/en',
        '/es',
        '/es/servidores-wow',
        '/game/red-dead-redemption-2',
        '/es/game/gta-v-fivem',
      ]) {
        await open(page, path)
        for (const width of [320, 360, 390]) {
          await page.setViewportSize({ width, height: 844 })
          const wide = await page.evaluate(() => {
            if (document.documentElement.scrollWidth <= innerWidth) return []
            const { clientWidth } = document.documentElement
            // An element in a container that scrolls or clips does not widen the page.
            const isCut = (one) =>
              one !== document.body && (getComputedStyle(one).overflowX !== 'visible' || isCut(one.parentElement))
            const sticksOut = (one) => one.getBoundingClientRect().right > clientWidth && !isCut(one.parentElement)
            return [...document.querySelectorAll('body *')].filter(sticksOut).map((one) => one.outerHTML.slice(0, 120))
          })
          assert.deepEqual(wide.slice(0, 9), [], `${path} at ${width}`)
        }
      }
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
  test('keeps its sort order in the URL', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      await listAfter(page, () => page.getByRole('button', { name: 'Plus votés' }).click())
      assert.match(page.url(), /\?sort=votes$/)
      const figures = await months(page)
      assert.deepEqual(
        figures,
        figures.toSorted((a, b) => b - a),
      )
      const visibleNames = await names(page)
      await page.reload()
      await listed(page)
      assert.deepEqual(await names(page), visibleNames)
    }))

  test('is filtered by game, tag and sponsorship', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const count = async () => numberIn(await page.locator('#server-list').getByRole('status').first().innerText())
      const all = await count()
      const promotedCards = page.locator('#server-list article', {
        hasText: 'Sponsorisé',
      })
      const filters = page.getByRole('button', { name: 'Filtres' })
      await filters.click()
      await listAfter(page, () => page.getByText('Sponsorisés', { exact: true }).click())
      const promoted = await count()
      assert.equal(await promotedCards.count(), Math.min(promoted, 25))
      await listAfter(page, () => page.getByText('Non sponsorisés').click())
      assert.equal(promoted + (await count()), all)
      assert.equal(await promotedCards.count(), 0)
      await listAfter(page, () => page.getByText('Tous', { exact: true }).click())
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await listAfter(page, () => page.getByRole('navigation', { name: 'Choisir un jeu' }).getByRole('link', { name: /^Rust,/ }).click())
      assert.match(page.url(), /\/game\/rust$/)
      await page.getByRole('heading', { level: 1, name: 'Serveurs Rust', exact: true }).waitFor()
      await listed(page)
      const inGame = await count()
      assert.ok(inGame >= 1 && inGame < all, `${inGame} of ${all}`)
      assert.equal(await cards(page).locator('a[href="/game/rust"]').count(), Math.min(inGame, 25))

      await filters.click()
      // The panel stays with its button when the page moves.
      await page.getByRole('dialog', { name: 'Filtres' }).waitFor()
      await page.mouse.wheel(0, 120)
      await page.waitForFunction(() => {
        const opener = document.querySelector('#server-list button[aria-expanded=true]')
        const opened = document.querySelector('[role=dialog]')
        if (opener === null || opened === null) return false
        const [button, openedBox] = [opener.getBoundingClientRect(), opened.getBoundingClientRect()]
        const gap = openedBox.top - button.bottom
        return scrollY > 0 && gap >= 0 && gap <= 16
      })
      await page.getByRole('searchbox', { name: 'Chercher un tag' }).fill('vanil')
      await listAfter(page, () => page.getByRole('checkbox', { name: 'Vanilla' }).check())
      await page.keyboard.press('Escape')
      const tagged = await count()
      assert.ok(tagged >= 1 && tagged < inGame, `${tagged} of ${inGame}`)
      await listAfter(page, () => page.getByRole('button', { name: 'Retirer le tag Vanilla' }).click())
      assert.equal(await count(), inGame)
    }))

  test('is filtered by the language of servers', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await open(page, '/')
      const count = async () => numberIn(await page.locator('#server-list').getByRole('status').first().innerText())
      const all = await count()
      const each = []
      for (const [language, code] of [
        ['Français', 'FR'],
        ['English', 'EN'],
        ['Español', 'ES'],
      ]) {
        await page.getByRole('button', { name: 'Filtres' }).click()
        const panel = page.getByRole('dialog', { name: 'Filtres' })
        await listAfter(page, () => panel.getByText(language, { exact: true }).click())
        const { top } = await place(panel)
        const { bottom } = await place(page.getByRole('button', { name: 'Filtres' }))
        assert.ok(top >= bottom, 'the panel opens below its button')
        if (code === 'ES') await visit.glance('home-filters')
        await page.keyboard.press('Escape')
        await panel.waitFor({ state: 'detached' })
        each.push(await count())
        const cardCount = await cards(page).count()
        assert.equal(await cards(page).getByText(new RegExp(`^Langue\\s: ${language}$`)).count(), cardCount)
        await page.getByRole('button', { name: `Retirer le filtre ${language}` }).waitFor()
      }
      assert.equal(
        each.reduce((sum, one) => sum + one, 0),
        all,
      )
      assert.match(page.url(), /\?language=es$/)
    }))

  test('has linked pages without repeated servers', () =>
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
      // Twenty-five of the list, and the promoted ones of the first page whose places are here.
      assert.ok(second.length >= 25, `${second.length} cards`)
      assert.deepEqual(
        second.filter((name) => first.includes(name)),
        [],
      )
      const figures = await months(page)
      assert.deepEqual(
        figures,
        figures.toSorted((a, b) => b - a),
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
      await page.waitForFunction((target) => Math.abs(scrollY - target) < 40, far)
      await page.goBack()
      await page.getByRole('heading', { level: 3, name: first[0], exact: true }).waitFor()
      assert.deepEqual(await names(page), first)
      // Another order begins at the first page again.
      await listAfter(page, () => pages.getByRole('link', { name: 'Page 3' }).click())
      await listAfter(page, () => page.getByRole('button', { name: 'Plus récents' }).click())
      assert.match(page.url(), /\?sort=recent$/)
    }))

  test('has sticky controls and a last-page fallback', () =>
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
        const { y } = await page.getByRole('button', { name: 'Filtres' }).boundingBox()
        const { height } = await page.getByRole('banner').boundingBox()
        assert.ok(y >= height && y < height + 60, `the controls stand at ${y}`)
      }
      await page.getByRole('button', { name: /^Trier par/ }).click()
      await listAfter(page, () => page.getByRole('dialog').getByText('Plus récents').click())
      assert.match(page.url(), /\?sort=recent$/)
    }))

  test('resets its filters when nothing matches', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/game/rust?tag=no-such-tag')
      await page.getByRole('heading', { name: 'Aucun serveur avec ces filtres' }).waitFor()
      await visit.glance('home-nothing-found')
      await listAfter(page, () => page.getByRole('button', { name: 'Retirer les filtres' }).click())
      assert.match(page.url(), /\/game\/rust$/)
    }))
})

describe('the search', () => {
  test('finds partial names by keyboard', () =>
    visiting({}, async (visit, page) => {
      await open(page, '/')
      const [name] = await names(page)
      const field = page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' })
      await field.fill(name.slice(1, 5))
      await page.getByRole('option').filter({ hasText: name }).waitFor()
      // At most five servers, beside games, tags and the link to all results.
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

  test('links to a result list with its URL', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await open(page, '/')
      const field = page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' })
      await field.fill('rp')
      await listAfter(page, () => page.getByRole('option', { name: /^Voir tous les serveurs pour « rp »/ }).click())
      await page.waitForURL(/\?q=rp$/)
      await page.getByText('Nom : rp').waitFor()
      // The list with the results is in view.
      await page.waitForFunction(() => {
        const { top } = document.getElementById('server-list').getBoundingClientRect()
        return top >= 0 && top < 200
      })
      const visibleNames = await names(page)
      assert.ok(visibleNames.length > 1 && visibleNames.every((name) => /rp/i.test(name)), visibleNames.join(', '))
      await visit.glance('search-results')
      visit.expectRefusal(416, '/rest/v1/servers_public')
      await page.goto('/?q=RP&page=9')
      await listed(page)
      assert.deepEqual((await names(page)).toSorted(), visibleNames.toSorted(), 'past the end is the last page')
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

  test('moves into the header after scrolling', () =>
    visiting({}, async (_, page) => {
      await open(page, '/')
      const bannerSearch = page.getByRole('banner').getByRole('combobox')
      await bannerSearch.waitFor({ state: 'hidden' })
      const { x: before } = await page.getByRole('button', { name: 'Connexion' }).boundingBox()
      await cards(page).last().scrollIntoViewIfNeeded()
      await bannerSearch.waitFor()
      assert.equal((await page.getByRole('button', { name: 'Connexion' }).boundingBox()).x, before)
      // The search field stays in place while somebody types in it.
      await bannerSearch.fill('lo')
      await page.evaluate(() => scrollTo(0, 0))
      await page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' }).waitFor()
      assert.ok(await bannerSearch.isVisible())
    }))

  test('phone menu opens a game page', () =>
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
  test('is switched in place and remembered', () =>
    visiting({}, async (_, page) => {
      await open(page, '/serveurs-minecraft?sort=votes')
      const visibleNames = await names(page)
      await page.getByRole('button', { name: 'Langue : Français' }).click()
      await page.getByRole('link', { name: 'English' }).first().click()
      await page.locator('html[lang=en]').waitFor()
      assert.match(page.url(), /\/en\/servers-minecraft\?sort=votes$/)
      await page.getByRole('heading', { name: 'Minecraft servers', level: 1 }).waitFor()
      assert.deepEqual(await names(page), visibleNames)
      await open(page, '/')
      assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    }))
})

describe('the theme', () => {
  test('follows the system unless a choice is saved', () =>
    visiting({ theme: 'dark' }, async (_, page) => {
      const until = (scheme) =>
        page.waitForFunction((expected) => {
          const [red] = getComputedStyle(document.body).backgroundColor.match(/\d+/)
          return Number(red) > 128 === (expected === 'light')
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
