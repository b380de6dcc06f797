// Pictures of every page of the registry, in French, with the demonstration's data, at both widths and in both themes.
//
//   node scripts/picture-pages.mjs [FOLDER [PAGE…]]   into tests/artefacts, unless a folder is named
//
// It also prints the errors of each page, elements that are wider than the window, and texts that are cut off.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { DESKTOP, findMisfits, launch, PHONE, settle, Visit } from '../tests/support/browser.mjs'
import { createClient } from '../tests/support/client.mjs'
import { signInAs } from '../tests/support/demo.mjs'
import { startServer } from '../tests/support/server.mjs'

const REGISTRY = new URL('../frontend/src/lib/pages.json', import.meta.url)
const ARTEFACTS = fileURLToPath(new URL('../tests/artefacts/', import.meta.url))
const MAX_HEIGHT = 4_000

const PLAYER = 'player@palmares.test'
const OWNER = 'owner@palmares.test'
const ADMIN = 'admin@palmares.test'

/** Further addresses: states of pages of the registry. */
const STATES = {
  homeEmpty: { path: '/?q=zzzzzz' },
  notFound: { path: '/nulle-part' },
  serverNotFound: { path: '/serveur/nulle-part' },
  profileOfOwner: { path: '/profile', email: OWNER },
  favoritesOfVisitor: { path: '/favorites' },
  creatorToolsOfPlayer: { path: '/creator-tools', email: PLAYER },
  adminOfPlayer: { path: '/admin', email: PLAYER },
}

/** Who opens a page; undefined is a visitor. */
function emailOf(key, { access, area }) {
  if (access === 'everyone') return undefined
  if (access === 'staff') return ADMIN
  return area === 'owner' || key === 'receipt' ? OWNER : PLAYER
}

/** The values of the parameters in the addresses. */
async function paramsOf({ url, keys }) {
  const owner = createClient(url, keys.ANON_KEY)
  const { data } = await owner.auth.signInWithPassword({ email: OWNER, password: 'palmares-demo' })
  const [events, listed, own, receipts] = await Promise.all([
    owner.from('competitive_events').select('id').order('id').limit(1).single(),
    owner.from('servers_public').select('id').eq('slug', 'loupgarde').single(),
    owner.from('servers').select('id').eq('owner_id', data.user.id).order('created_at').limit(1).single(),
    owner.from('payment_receipts').select('number').order('number').limit(1).single(),
  ])
  const lastMonth = new Date()
  lastMonth.setUTCDate(0)
  return {
    common: {
      game: 'minecraft',
      shortcut: 'rust',
      slug: 'loupgarde',
      month: lastMonth.toISOString().slice(0, 7),
      eventId: events.data.id,
      serverId: own.data.id,
      number: String(receipts.data.number),
    },
    byPage: { serverById: { slug: listed.data.id } },
  }
}

/** Every page and state: its key, its French address, and who opens it. */
function addressesOf({ common, byPage }) {
  const addresses = Object.entries(JSON.parse(readFileSync(REGISTRY, 'utf8'))).map(([key, page]) => {
    const values = { ...common, ...byPage[key] }
    const pattern = page.path.fr ?? page.path
    const path = pattern.replace(/:(\w+)/g, (_, name) => {
      if (values[name] === undefined) throw new Error(`no value for :${name} of the page ${key}`)
      return values[name]
    })
    return [key, { path: `/${path}`, email: emailOf(key, page) }]
  })
  return [...addresses, ...Object.entries(STATES)]
}

async function open(page, path) {
  await page.goto(path)
  await page.locator('.boot').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // Content far below is loaded when it is near the window, and may load more content.
  for (let round = 0; round < 2; round++) {
    await page.evaluate(scrollThrough, MAX_HEIGHT)
    await page.waitForLoadState('networkidle')
  }
}

/** Runs in the page: scrolls to its end and back to its top. */
async function scrollThrough(limit) {
  for (let y = 0; y < Math.min(document.documentElement.scrollHeight, limit); y += innerHeight / 2) {
    scrollTo({ top: y, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
  scrollTo({ top: 0, behavior: 'instant' })
}

async function picture(page, file) {
  await settle(page, true)
  const { width } = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) }
  await page.screenshot({ path: file, fullPage: true, clip, animations: 'disabled' })
}

/** Opens the pages of one person at one width, each in both themes. */
async function pictureAs(browser, server, email, viewport, addresses, folder) {
  const visit = await Visit.begin(browser, { url: server.url, viewport })
  // A page's address may contain another language, which would be stored for the next page. A frame may have no
  // storage.
  await visit.page.addInitScript(() => window === top && localStorage.setItem('palmares.language', 'fr'))
  // The SEO audit reads every page of the site.
  visit.context.setDefaultTimeout(60_000)
  if (email) await signInAs(visit.page, server, email)
  for (const [key, { path }] of addresses) {
    const name = `${key}-${viewport.width}`
    visit.faults.length = 0
    await open(visit.page, path).catch((error) => visit.faults.push(error.message.split('\n')[0]))
    for (const theme of ['dark', 'light']) {
      await visit.page.emulateMedia({ colorScheme: theme })
      await picture(visit.page, join(folder, `${name}-${theme}.png`))
    }
    const troubles = [...visit.faults, ...(await findMisfits(visit.page))]
    if (troubles.length > 0) console.log(`${name}: ${JSON.stringify(troubles)}`)
  }
  await visit.end()
}

const [folder = ARTEFACTS, ...names] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const browser = await launch()
try {
  const server = await startServer({ args: ['--demo'] })
  try {
    const addresses = addressesOf(await paramsOf(server)).filter(([key]) => names.length === 0 || names.includes(key))
    for (const email of new Set(addresses.map(([, { email }]) => email))) {
      const pages = addresses.filter(([, address]) => address.email === email)
      for (const viewport of [PHONE, DESKTOP]) await pictureAs(browser, server, email, viewport, pages, folder)
    }
  } finally {
    await server.stop()
  }
} finally {
  await browser.close()
}
