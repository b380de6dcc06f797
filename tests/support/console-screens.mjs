// A shop with content on every screen of its console, for tests of the screens and for screenshots.
import { firstLink, openConsole } from './console.mjs'
import { serve } from './project.mjs'

const OWNER = { email: 'ada@shop.test', password: 'correct horse battery' }
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const GOODS = `
insert into products (name, price_cents)
select (array['Oak table', 'Armchair', 'Wool rug', 'Mirror', 'Vase', 'Bookshelf', 'Desk', 'Lamp'])[1 + g % 8] || ' ' || g, 900 + g * 137
from generate_series(1, 40) as g;
insert into orders (buyer, product)
select u.id, p.id from auth.users u cross join lateral (select id from products order by name limit 7) p;
select vault.create_secret('sk_live_1', 'stripe_key', 'Key of the payment provider');
select pgmq.create('mails');
select pgmq.send('mails', '{"to": "eve@shop.test", "template": "order"}');`

const SQL = 'select name, price_cents / 100.0 as price, code\nfrom products\norder by price_cents desc\nlimit 20'

/** The screens by name, with their paths; `prepare` fills a screen with content. */
export const SCREENS = {
  overview: { path: 'overview' },
  tables: { path: 'tables' },
  rows: { path: 'tables/public/products' },
  structure: { path: 'tables/public/products?view=structure' },
  picture: { path: 'tables/public?view=picture' },
  routines: { path: 'tables/public?view=functions' },
  sql: {
    path: 'sql',
    async prepare(page) {
      await page.locator('.cm-content').first().click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(SQL)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('gridcell').first().waitFor()
    },
  },
  users: { path: 'users' },
  user: { path: ({ user }) => `users/${user}` },
  buckets: { path: 'files' },
  files: { path: 'files/photos' },
  policies: {
    path: 'files/photos?policies=open',
    prepare: (page) => page.getByRole('dialog').getByRole('row').first().waitFor(),
  },
  functions: { path: 'functions' },
  function: { path: 'functions/price' },
  realtime: { path: 'realtime' },
  mails: { path: 'authentication' },
  providers: { path: 'authentication/providers' },
  limits: { path: 'authentication/limits' },
  cron: { path: 'integrations' },
  queues: { path: 'integrations/queues' },
  vault: { path: 'integrations/vault' },
  webhooks: { path: 'integrations/webhooks' },
  background: { path: 'integrations/background' },
  logs: { path: 'logs' },
  request: {
    path: 'logs?status=4xx',
    async prepare(page) {
      await page.getByRole('row').filter({ hasText: '/rest/v1/products' }).first().getByRole('link').click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  advice: { path: 'advice' },
  connect: { path: 'connect' },
  backups: { path: 'backups' },
  settings: { path: 'settings' },
  keys: {
    path: 'settings',
    async prepare(page) {
      await page.locator('table').last().scrollIntoViewIfNeeded()
    },
  },
  operators: { path: 'operators' },
  audit: { path: 'audit' },
  missing: { path: 'nowhere' },
}

/** Signs in again; returns the value of the cookie. */
async function signIn(url) {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-console-request': '1' },
    body: JSON.stringify(OWNER),
  })
  const [, value] = /console_session=([^;]*)/.exec(answer.headers.get('set-cookie'))
  return value
}

/** Makes a backup and checks it; waits until the list of backups shows the result. */
async function backUp(ask) {
  const settled = async () => {
    for (;;) {
      const { backups } = await (await ask('GET', '/backups')).json()
      if (!backups.some((one) => one.state === 'running' || one.check?.state === 'running')) return backups
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  await ask('POST', '/backups', { place: 'folder' })
  const [made] = await settled()
  await ask('POST', `/backups/${made.id}/check`, {})
  await settled()
}

/** The shop, served: with goods, people, orders, a photo, calls, refusals and a backup. */
export async function serveShop() {
  const project = await serve('shop')
  const ask = await openConsole(firstLink(project.server), OWNER.email)
  const people = []
  for (const person of ['eve', 'grace', 'linus', 'margaret', 'alan']) people.push(await project.account(person))
  await ask('POST', '/query', { query: GOODS, read_only: false })
  const service = project.service()
  for (const name of ['shelf/dot.png', 'shelf/oak.png', 'lamp.png'])
    await service.storage.from('photos').upload(name, DOT, { contentType: 'image/png' })
  for (let i = 0; i < 12; i += 1) {
    await project.anon().from('products').select('name').limit(3)
    await service.from('products').insert({ name: 'A loss', price_cents: -1 })
  }
  await fetch(`${project.url}/functions/v1/price`)
  await backUp(ask)
  const cookie = { name: 'console_session', value: await signIn(project.url), url: `${project.url}/console` }
  return { project, ask, cookie, user: people[0].id }
}

/** A page of the console, as the owner sees it. */
export async function openAsOwner(browser, shop, { locale = 'en-GB', width = 1440, theme = 'light' } = {}) {
  const context = await browser.newContext({
    baseURL: shop.project.url,
    viewport: { width, height: width > 400 ? 900 : 844 },
    colorScheme: theme,
    locale,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Paris',
  })
  await context.addCookies([shop.cookie])
  return context.newPage()
}

/** Opens a screen and waits until its content is shown. */
export async function showScreen(page, shop, name) {
  const { path, prepare } = SCREENS[name]
  await page.goto(`/console/${typeof path === 'function' ? path(shop) : path}`)
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'))
  await prepare?.(page)
  await page.evaluate(() => document.fonts.ready)
}
