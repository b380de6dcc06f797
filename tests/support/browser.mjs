// Debian's Chromium, driven by playwright-core; nothing is downloaded.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { DEADLINE, eventually } from './server.mjs'
import { recordToasts } from './toasts.mjs'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 900 }

/** Both window widths in both themes. */
const LOOKS = [
  { width: 'phone', viewport: PHONE, theme: 'dark' },
  { width: 'phone', viewport: PHONE, theme: 'light' },
  { width: 'desktop', viewport: DESKTOP, theme: 'dark' },
  { width: 'desktop', viewport: DESKTOP, theme: 'light' },
]

/** Source of axe, to be evaluated in a page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules of axe whose result depends on colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

const ARTEFACTS = fileURLToPath(new URL('../artefacts/', import.meta.url))

// The headless shell draws no browser window, which would cost a fifth of the processor time.
const CHROMIUM = {
  executablePath:
    process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Rasterizes directly on the processor instead of through an emulated graphics card.
    '--disable-gpu-rasterization',
    '--disable-software-rasterizer',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** A headless browser that makes no requests of its own. */
export function launch() {
  return chromium.launch(CHROMIUM)
}

/** Full Chromium, for notifications, which the headless shell lacks. */
export function launchWithNotifications() {
  return chromium.launch({ ...CHROMIUM, executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
}

/** A headless browser with storage in a folder, for a tool that controls it through a debugging port. */
export function launchOnPort(folder, port) {
  return chromium.launchPersistentContext(folder, {
    ...CHROMIUM,
    args: [...CHROMIUM.args, `--remote-debugging-port=${port}`],
  })
}

/**
 * A visit with a browser context of its own: fresh storage and one page, whose errors are collected as faults.
 * With `record` the visit is written to the artefacts as a trace, for `playwright show-trace`.
 */
export class Visit {
  /** Descriptions of the faults found so far. */
  faults = []
  #inFlight = new Set()
  #lastRequestAt = 0
  #expected = []
  #tolerated = []
  #losses = []

  /** Runs `look` in a browser context of its own, then asserts that no fault occurred. */
  static async during(browser, options, look) {
    const visit = await Visit.begin(browser, options)
    try {
      await look(visit, visit.page)
      visit.assertFlawless()
    } catch (error) {
      await visit.keepEvidence(error)
      throw error
    } finally {
      await visit.end()
    }
  }

  static async begin(browser, { url, viewport = DESKTOP, theme = 'dark', locale = 'fr-FR', record } = {}) {
    const context = await browser.newContext({
      baseURL: url,
      viewport,
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale,
      timezoneId: 'Europe/Paris',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(DEADLINE)
    await recordToasts(context)
    if (record) await context.tracing.start({ screenshots: true, snapshots: true, title: record })
    const page = await context.newPage()
    const visit = new Visit(context, page, record)
    await visit.#watch()
    return visit
  }

  constructor(context, page, record) {
    this.context = context
    this.page = page
    this.record = record
  }

  async #watch() {
    const { page } = this
    await page.exposeFunction('reportViolation', (text) => this.faults.push(`content security policy: ${text}`))
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) =>
        window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
      )
      window.shifted = 0
      new PerformanceObserver((seen) => {
        for (const shift of seen.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value
      }).observe({ type: 'layout-shift', buffered: true })
      // Headless, scrollbars are not drawn; the room kept for them would show as a stripe.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('html { scrollbar-gutter: auto !important } * { content-visibility: visible !important }')
      document.adoptedStyleSheets = [sheet]
    })
    page.on('pageerror', (error) => this.faults.push(`error: ${error.stack ?? error}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      // Chromium logs each answer with an error status; the `response` listener below checks them.
      if (message.text().startsWith('Failed to load resource: the server responded')) return
      if (this.#isLoss(message.location().url) && message.text().startsWith('Failed to load resource: net::')) return
      // Playwright's scripts run in every frame, and a sandboxed frame without scripts blocks them.
      if (/^Blocked script execution in '[^']+' because the document's frame is sandboxed/.test(message.text())) return
      this.faults.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => this.#inFlight.add(request))
    page.on('requestfinished', (request) => this.#finish(request))
    page.on('requestfailed', (request) => {
      this.#finish(request)
      // Requests that the page aborted because it navigated away.
      if (request.failure()?.errorText === 'net::ERR_ABORTED') return
      if (this.#isLoss(request.url())) return
      this.faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`)
    })
    page.on('response', (response) => {
      if (response.status() < 400 || this.#tolerated.includes(response.status())) return
      const { pathname } = new URL(response.url())
      const fits = (path) => (path instanceof RegExp ? path.test(pathname) : path === pathname)
      const known = this.#expected.findIndex(([status, path]) => status === response.status() && fits(path))
      if (known === -1) this.faults.push(`${response.status()}: ${response.request().method()} ${response.url()}`)
      else this.#expected.splice(known, 1)
    })
  }

  #finish(request) {
    this.#inFlight.delete(request)
    this.#lastRequestAt = Date.now()
  }

  /**
   * Waits until no request has been in flight for half a second. On a busy machine Playwright's `networkidle` never came for a
   * page whose frames had loaded.
   */
  async waitForQuietNetwork() {
    await eventually(() => this.#inFlight.size === 0 && Date.now() - this.#lastRequestAt >= 500)
  }

  /** Opens an address of the site as a link does, without loading the page anew, which costs three times as much. */
  async navigateInPage(path) {
    await this.page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    }, path)
  }

  /** Expects one answer with this status from this path, or from a path that matches the pattern. */
  expectRefusal(status, path) {
    this.#expected.push([status, path])
  }

  /** Allows any number of answers with this status from now on. */
  tolerateRefusals(status) {
    this.#tolerated.push(status)
  }

  /** Allows failed requests to addresses that contain `part`. */
  expectLoss(part) {
    this.#losses.push(part)
  }

  #isLoss(url) {
    return this.#losses.some((part) => url.includes(part))
  }

  /** Asserts that no fault occurred and that every expected refusal arrived. */
  assertFlawless() {
    assert.deepEqual(this.faults, [])
    assert.deepEqual(this.#expected, [], 'refusals that never came')
  }

  /** Waits for fonts and pictures; with `PICTURES=1` saves a screenshot, which takes as long as axe. */
  async keepPicture(name, { whole = false } = {}) {
    await settle(this.page, whole)
    if (!process.env.PICTURES) return
    mkdirSync(ARTEFACTS, { recursive: true })
    await this.page.screenshot({ path: `${ARTEFACTS}${name}.png`, fullPage: whole, animations: 'disabled' })
  }

  /**
   * Asserts that axe's rules, best practices included, find nothing; with `only`, just these rules. `colours: false` skips
   * the rules about colours, which take most of the time, on a page that another test checks in another language.
   */
  async assertAccessible(subject, { only, colours = true } = {}) {
    // Axe's runner for Playwright also collects results from frames, which would double the time.
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE)
    const rules = colours ? {} : Object.fromEntries(RULES_OF_COLOUR.map((rule) => [rule, { enabled: false }]))
    // A dialog hides the page's heading from screen readers, as it should.
    if ((await this.page.locator('[role=dialog], [role=alertdialog]').count()) > 0) rules['page-has-heading-one'] = { enabled: false }
    // A list that floats belongs to the control that opened it, not to a part of the page.
    if ((await this.page.locator('[role=listbox], [role=menu]').count()) > 0) rules.region = { enabled: false }
    // No enabled rule reads style sheets, which `preload` would parse again.
    const options = { resultTypes: ['violations'], iframes: false, preload: false, ...(only ? { runOnly: only } : { rules }) }
    const violations = await this.page.evaluate(async (options) => (await window.axe.run(document, options)).violations, options)
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }))
    assert.deepEqual(found, [], subject)
  }

  /** Checks the page at both widths in both themes: layout, axe, and a screenshot if `PICTURES` is set. */
  lookAround(name) {
    return this.#look(name, LOOKS)
  }

  /** Like `lookAround`, with one theme for each width; `options` as for `assertAccessible`. */
  glance(name, options) {
    return this.#look(name, LOOKS.slice(1, 3), options)
  }

  async #look(name, looks, options) {
    let seen
    for (const { width, viewport, theme } of looks) {
      const look = `${name}-${width}-${theme}`
      await this.page.setViewportSize(viewport)
      await this.page.emulateMedia({ colorScheme: theme })
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      await this.assertFits(look)
      await this.keepPicture(look)
      // A theme changes only colours, so the other rules would give the same result again.
      await this.assertAccessible(look, { only: width === seen ? RULES_OF_COLOUR : undefined, ...options })
      seen = width
    }
  }

  /** Asserts that the page does not scroll sideways and that no table cell overlaps its neighbour. */
  async assertFits(subject) {
    const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
    await this.page.waitForFunction(fits).catch(() => assert.fail(`${subject} is too wide`))
    const overfull = await this.page.evaluate(() =>
      [...document.querySelectorAll('td, th')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText),
    )
    assert.deepEqual(overfull, [], `cells of ${subject} that are too narrow`)
  }

  /** Asserts that the layout has not shifted since the page began to load. */
  async assertSteady() {
    await this.waitForQuietNetwork()
    const shifted = await this.page.evaluate(() => window.shifted)
    assert.ok(shifted <= 0.02, `layout shift ${shifted}`)
  }

  /** Adds to a failure where the page was and what went wrong before, and saves a screenshot beside the other artefacts. */
  async keepEvidence(error) {
    const picture = `${ARTEFACTS}failed-${process.pid}-${Date.now()}.png`
    mkdirSync(ARTEFACTS, { recursive: true })
    await this.page.screenshot({ path: picture, timeout: 5_000 }).catch(() => {})
    // The reporter prints the stack, which begins with the message of the moment at which the error was made.
    error.stack += `\n  at ${this.page.url()}, screenshot: ${picture}\n  faults: ${JSON.stringify(this.faults)}`
  }

  async end() {
    if (this.record) {
      mkdirSync(ARTEFACTS, { recursive: true })
      await this.context.tracing.stop({ path: `${ARTEFACTS}${this.record}.zip` })
    }
    await this.context.close()
  }
}

/** Waits until the visible part of the page (or the whole page) is drawn and all animations have ended. */
export async function settle(page, isFullPage) {
  await page.evaluate(async (all) => {
    await document.fonts.ready
    const ending = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    // The end of an animation may start another one, such as a dialog's after its backdrop's.
    for (let round = 0, moving = ending(); moving.length > 0 && round < 10; round++, moving = ending()) {
      for (const animation of moving) animation.finish()
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
    const inSight = (image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect()
      return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    }
    const awaited = [...document.images].filter((image) => all || inSight(image))
    for (const image of awaited) image.loading = 'eager'
    // A picture that cannot be decoded is ignored here; a failed request is a fault of the visit.
    await Promise.all(awaited.map((image) => image.decode().catch(() => {})))
  }, isFullPage)
}

/** What does not fit, as far as a program can tell: texts that are cut, and a page wider than the window. */
export function findMisfits(page) {
  return page.evaluate(() => {
    const isCut = (element) =>
      element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && getComputedStyle(element).overflowX !== 'visible'
    const cut = [...document.querySelectorAll('button, a, label, h1, h2, h3, [role=tab], th')]
      .filter((element) => element.offsetParent && [element, ...element.querySelectorAll('span, div')].some(isCut))
      .map((element) => element.innerText.trim().slice(0, 60))
    const { scrollWidth, clientWidth } = document.documentElement
    return [...new Set(cut), ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [])]
  })
}
