// What a visitor sees when something fails: a text, a part, a picture, the connection, the server, the release. The
// pages say so, keep what was typed, and go on when they can.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { signInAs } from '../support/demo.mjs'
import { startServer } from '../support/server.mjs'

const NEW_RELEASE = 'Une nouvelle version du site est disponible. Rechargez la page pour continuer.'
const WAITING = 'Impossible de charger une partie de la page. Nous réessayons.'

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'] }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

/** A visit in which requests may fail, but no error may stay uncaught. */
async function visiting(look, options = {}) {
  const visit = await Visit.begin(browser, { url: server.url, ...options })
  try {
    await look(visit.page, visit)
    assert.deepEqual(
      visit.faults.filter((fault) => fault.startsWith('error:')),
      [],
    )
  } finally {
    await visit.end()
  }
}

/** Answers matching requests with `answer` until the returned function is called. */
async function failing(page, pattern, answer = (route) => route.abort()) {
  await page.route(pattern, answer)
  return () => page.unroute(pattern)
}

/** Removes the texts and rows that the server writes into the page. */
function bare(page) {
  return page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const answer = await route.fetch()
    const body = (await answer.text()).replace(
      /<script type="application\/json" id="palmares-(texts|rows)">.*?<\/script>/gs,
      '',
    )
    return route.fulfill({ response: answer, body })
  })
}

const part = (name) => new RegExp(`/assets/${name}-[^/]+\\.js$`)
const text = (name) => new RegExp(`/assets/${name}-[^/]+\\.json$`)
const respondNotFound = (route) => route.fulfill({ status: 404, body: '' })
const voteButtons = (page) => page.getByRole('button', { name: /^Voter pour / })
const voteWindow = (page) => page.getByRole('dialog', { name: /^Voter pour / })
const notice = (page, words) => page.getByRole('alert').filter({ hasText: words })

/** Presses the button of the notice, unless the page has tried again by itself before. Resolves when `outcome` is there. */
async function retry(button, outcome) {
  await Promise.any([button.click(), outcome.waitFor()])
  await outcome.waitFor()
}

/** Whether nothing covers the element. */
const isOnTop = (locator) =>
  locator.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

describe('a text that does not come', () => {
  test('is retried without showing translation keys', () =>
    visiting(async (page) => {
      await bare(page)
      const mend = await failing(page, text('ranking-list'))
      await page.goto('/en')
      await notice(page, 'Part of the page isn’t loading. We’ll keep trying.').waitFor()
      assert.doesNotMatch(await page.locator('body').innerText(), /\b[a-z]+\.[a-zA-Z]+\b.*\bcard\./)
      await mend()
      await retry(page.getByRole('button', { name: 'Try now' }), page.getByRole('button', { name: /^Vote for / }).first())
      await notice(page, 'Part of the page').waitFor({ state: 'hidden' })
    }))

  test('keeps the current language until it loads', () =>
    visiting(async (page) => {
      await page.goto('/')
      await voteButtons(page).first().waitFor()
      const mend = await failing(page, text('ranking-list'))
      await page.getByRole('button', { name: /^Langue/ }).click()
      await page.getByRole('link', { name: 'English' }).filter({ visible: true }).first().click()
      await page.getByText('Part of the page isn’t loading.').waitFor()
      assert.ok((await voteButtons(page).count()) > 0)
      await mend()
      await retry(page.getByRole('button', { name: 'Try now' }), page.getByRole('button', { name: /^Vote for / }).first())
    }))

  test('of another language is never asked for', () =>
    visiting(async (page) => {
      const requests = []
      page.on('request', (request) => text('[a-z-]+').test(request.url()) && requests.push(request.url()))
      await page.goto('/en')
      await page
        .getByRole('button', { name: /^Vote for / })
        .first()
        .waitFor()
      const names = requests.map((url) => /assets\/([a-z-]+)-/.exec(url)[1])
      assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted(), 'one file for each part of the page')
    }))
})

describe('a part that does not come', () => {
  test('is retried, then opens the requested dialog', () =>
    visiting(async (page) => {
      await page.goto('/')
      const mend = await failing(page, part('vote-dialog-host'))
      await voteButtons(page).first().click()
      await notice(page, WAITING).waitFor()
      await mend()
      await retry(page.getByRole('button', { name: 'Réessayer' }), voteWindow(page))
    }))

  test('reloads once when there is a new release', () =>
    visiting(async (page) => {
      await page.goto('/')
      await voteButtons(page).first().waitFor()
      const mend = await failing(page, part('vote-dialog-host'), respondNotFound)
      await page.route('**/', (route) =>
        route.request().resourceType() === 'fetch'
          ? route.fulfill({
              contentType: 'text/html',
              body: '<script type="module" src="/assets/next.js"></script>',
            })
          : route.continue(),
      )
      await Promise.all([page.waitForEvent('load'), voteButtons(page).first().click()])
      await voteButtons(page).first().waitFor()
      // A page that was loaded by an automatic reload asks before the next one, so that reloads cannot loop.
      await voteButtons(page).first().click()
      await notice(page, NEW_RELEASE).waitFor()
      await mend()
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Recharger' }).click()])
      await voteButtons(page).first().click()
      await voteWindow(page).waitFor()
    }))

  test('offers a reload that keeps typed text', () =>
    visiting(async (page) => {
      await page.goto('/')
      const field = page.getByRole('main').getByRole('combobox', { name: 'Rechercher un serveur' })
      await field.fill('loup')
      await failing(page, part('vote-dialog-host'), respondNotFound)
      await page.route('**/', (route) =>
        route.request().resourceType() === 'fetch'
          ? route.fulfill({
              contentType: 'text/html',
              body: '<script type="module" src="/assets/next.js"></script>',
            })
          : route.continue(),
      )
      await voteButtons(page).first().click()
      await notice(page, NEW_RELEASE).waitFor()
      assert.equal(await field.inputValue(), 'loup')
    }))

  test('shows an error only on its crashed page', () =>
    visiting(async (page, visit) => {
      await page.goto('/')
      // A name that is not a string makes its component throw.
      await page.route(/\/servers_public\?.*slug=eq\./, async (route) => {
        const response = await route.fetch()
        const [row] = await response.json()
        await route.fulfill({ response, json: [{ ...row, name: 7 }] })
      })
      await page.locator('article a[href^="/serveur/"]').first().click()
      await page
        .getByRole('heading', {
          level: 1,
          name: 'Impossible d’afficher cette page',
        })
        .waitFor()
      assert.equal(visit.faults.filter((fault) => /is not a function/.test(fault)).length, 1, 'told once')
      await page.getByRole('banner').getByRole('link', { name: 'Palmarès, accueil' }).click()
      await voteButtons(page).first().waitFor()
    }))
})

describe('without a connection', () => {
  test('page shows an offline notice until reconnection', () =>
    visiting(
      async (page, visit) => {
        await page.goto('/')
        await voteButtons(page).first().waitFor()
        await visit.context.setOffline(true)
        const noticeText = page.getByText('Vous êtes hors ligne. Les chiffres affichés ne sont plus à jour.')
        await noticeText.waitFor()
        assert.ok(await isOnTop(noticeText))
        await visit.keepPicture('offline-phone-dark')
        await page.evaluate(() => history.pushState(null, '', '?sort=recent'))
        await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
        await page.getByText(/Vous semblez hors ligne/).waitFor()
        await visit.context.setOffline(false)
        await voteButtons(page).first().waitFor()
        await noticeText.waitFor({ state: 'hidden' })
      },
      { viewport: PHONE },
    ))

  test('failed vote keeps the nickname and is resubmitted', () =>
    visiting(async (page, visit) => {
      await page.goto('/')
      await voteButtons(page).first().click()
      const dialog = voteWindow(page)
      await dialog.getByText('Vérification anti-robot terminée').waitFor()
      const name = dialog.getByLabel('Votre pseudo en jeu')
      await name.fill('Nova_42')
      await visit.context.setOffline(true)
      await dialog.getByRole('button', { name: 'Voter maintenant' }).click()
      await dialog.getByText(/Votre vote n’est pas parti/).waitFor()
      assert.equal(await name.inputValue(), 'Nova_42')
      await visit.assertAccessible('vote offline')
      await visit.context.setOffline(false)
      await dialog.getByRole('button', { name: 'Voter maintenant' }).click()
      await dialog.getByRole('heading', { name: 'Vote enregistré' }).waitFor()
    }))

  test('vote dialog shows that the site is unreachable', () =>
    visiting(async (page, visit) => {
      await page.goto('/')
      // The window's code and texts are there already.
      await voteButtons(page).nth(1).click()
      await voteWindow(page).waitFor()
      await page.keyboard.press('Escape')
      await voteWindow(page).waitFor({ state: 'detached' })
      await visit.context.setOffline(true)
      await voteButtons(page).nth(2).click()
      await voteWindow(page)
        .getByText(/Vous êtes hors ligne, ou le site est injoignable/)
        .waitFor()
    }))
})

describe('with the server down', () => {
  test('failed sections show a retry or are hidden', () =>
    visiting(async (page, visit) => {
      await bare(page)
      const mend = await failing(page, /\/rest\/v1\//, (route) => route.fulfill({ status: 503, body: '' }))
      await page.goto('/')
      await page.getByRole('heading', { name: 'Impossible de charger le classement' }).waitFor()
      await page.getByText('Impossible de charger les jeux.').first().waitFor()
      await page.getByLabel('Le site en chiffres').waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Espaces Arcade' }).waitFor({ state: 'detached' })
      const again = page.getByRole('navigation', { name: 'Choisir un jeu' }).getByRole('button', { name: 'Réessayer' })
      assert.ok(await isOnTop(again))
      await visit.keepPicture('server-down-desktop-dark')
      await mend()
      await page.locator('#server-list').getByRole('button', { name: 'Réessayer' }).click()
      await voteButtons(page).first().waitFor()
    }))

  test('images that fail to load are hidden', () =>
    visiting(async (page) => {
      await failing(page, /\/pictures\/|\/storage\//)
      await page.goto('/')
      await voteButtons(page).first().waitFor()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('main img')].every(
          (image) =>
            !image.complete ||
            image.naturalWidth > 0 ||
            getComputedStyle(image).opacity === '0' ||
            // Below the screen it is not fetched, and not drawn.
            getComputedStyle(image).visibility === 'hidden',
        ),
      )
    }))
})

test('script errors are reported once without their message', () =>
  Visit.during(browser, { url: server.url }, async (visit, page) => {
    await page.goto('/')
    const script = await page.locator('script[type=module][src*="/assets/"]').getAttribute('src')
    const reports = []
    page.on('request', (request) => {
      if (request.url().endsWith('/functions/v1/page-error')) reports.push(request.postData())
    })
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/functions/v1/page-error'))
    for (let time = 0; time < 3; time++)
      await page.evaluate((place) => {
        const error = new RangeError('of ada@example.com')
        error.stack = `RangeError: of ada@example.com\n    at vote (${place}:12:345)`
        dispatchEvent(new ErrorEvent('error', { error }))
      }, new URL(script, server.url).href)
    assert.deepEqual(await (await answered).json(), { stored: true })
    assert.equal(reports.length, 1)
    assert.doesNotMatch(reports[0], /ada@/)

    await signInAs(page, server, 'admin@palmares.test')
    await page.goto('/admin/page-errors')
    const row = page.getByRole('row', { name: /RangeError/ })
    await row.getByText(':12:345').first().waitFor()
    assert.match(await row.innerText(), /Classement/)
    await visit.glance('admin-page-errors')
  }))

test('page without JavaScript shows a localized notice', async () => {
  for (const [path, words] of [
    ['/', /Vous lisez Palmarès sans JavaScript/],
    ['/en/server/loupgarde', /You are reading Palmarès without JavaScript/],
    ['/es', /Estás leyendo Palmarès sin JavaScript/],
  ]) {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: PHONE,
      javaScriptEnabled: false,
    })
    try {
      const page = await context.newPage()
      await page.goto(path)
      const { y } = await page.getByText(words).boundingBox()
      assert.ok(y < 200, `${path}: at ${y}`)
      assert.equal(
        await page
          .getByText(/JavaScript/)
          .filter({ visible: true })
          .count(),
        1,
      )
    } finally {
      await context.close()
    }
  }
})
