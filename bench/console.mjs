// The console: what its first screen loads, pages of a table of ten million rows by the route and the statements that its
// own pages send, a result of a hundred thousand rows scrolled in a browser, and its share of memory and of the program's size.
// BENCH_SCALE=0.01 makes a quick trial run.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { DESKTOP, launch } from '../tests/support/browser.mjs'
import { firstLink } from '../tests/support/console.mjs'
import { connectedAsOwner } from '../tests/support/database.mjs'
import { binary, startServer } from '../tests/support/server.mjs'
import { ROUNDS, median } from './load.mjs'
import { residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const NAME = 'supabase-compat'
const SCALE = Number(process.env.BENCH_SCALE ?? 1)
const TABLE_ROWS = Math.max(10_000, Math.round(10_000_000 * SCALE))
const RESULT_ROWS = 100_000
/** Number of requests for each page. */
const ASKS = Math.max(10, Math.round(200 * SCALE))
const SCROLL_SECONDS = Math.max(1, Math.round(5 * SCALE))
const OWNER = { email: 'ada@console.test', password: 'a sentence of five words' }
const DIST = fileURLToPath(new URL('../supabase-compat/console/dist', import.meta.url))

/** Pixels per frame: a turning wheel, and a dragged scroll bar. */
const SPEEDS = { 'by the wheel': 100, 'by the scroll bar': 2000 }

const PAGES = [
  ['first', ''],
  ['in the middle', `?page=after:["${TABLE_ROWS / 2}"]`],
  ['last', `?page=after:["${TABLE_ROWS - 100}"]`],
  ['before the last', `?page=before:["${TABLE_ROWS}"]`],
  ['filtered by an indexed column', '?filter=device.eq.77'],
  ['the same, after its thousandth row', `?filter=device.eq.77&page=after:["${1000 * 1000}"]`],
  ['sorted by an indexed column', '?sort=created_at.desc'],
]

const FILL = `
  create table public.readings (
    id bigint not null, device int not null, value float8 not null, note text, created_at timestamptz not null
  );
  insert into public.readings
  select n, n % 1000, random() * 100, case when n % 3 = 0 then 'reading number ' || n end,
    timestamptz '2020-01-01' + n * interval '7 seconds'
  from generate_series(1, ${TABLE_ROWS}) as n;
  alter table public.readings add primary key (id);
  create index on public.readings (device, id);
  create index on public.readings (created_at, id);
  vacuum analyze public.readings`

const RESULT = `select n as id, n % 1000 as device, random() as value, 'reading number ' || n as note,
  now() + n * interval '1 second' as created_at, n % 2 = 0 as is_even, md5(n::text) as digest, gen_random_uuid() as key
  from generate_series(1, ${RESULT_ROWS}) as n`

/** Bytes as they were sent, by kind, until the page has nothing more to load. */
async function loaded(page, address, ready) {
  const session = await page.context().newCDPSession(page)
  const kinds = new Map()
  const bytes = { Script: 0, all: 0 }
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength
    if (kinds.get(requestId) === 'Script') bytes.Script += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const startedAt = performance.now()
  await page.goto(address)
  await ready(page)
  const seconds = (performance.now() - startedAt) / 1000
  await page.waitForLoadState('networkidle')
  await session.detach()
  return { ...bytes, seconds }
}

const heading = (name) => (page) => page.getByRole('heading', { level: 1, name }).waitFor()

async function firstLoads(context) {
  const page = await context.newPage()
  const rows = []
  for (const [name, address, title] of [
    ['overview', '/console/overview', 'Overview'],
    ['SQL', '/console/sql', 'SQL'],
    ['users', '/console/users', 'Users'],
  ]) {
    const { Script, all, seconds } = await loaded(page, address, heading(title))
    rows.push(`| ${name} | ${(Script / 1000).toFixed(1)} | ${(all / 1000).toFixed(1)} | ${seconds.toFixed(2)} |`)
  }
  await page.close()
  return rows
}

/** The statement that a page of the console sends for its rows. */
async function sentBy(page, address) {
  const sent = page.waitForRequest((request) => request.url().endsWith('/console/api/query') && request.postData()?.includes('xmin::text'))
  await page.goto(`/console/tables/public/readings${address}`)
  const body = (await sent).postData()
  await page.getByRole('gridcell').nth(5).waitFor()
  return body
}

async function pagesOf(context, server) {
  const page = await context.newPage()
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const rows = []
  for (const [name, address] of PAGES) {
    const body = await sentBy(page, address)
    const times = []
    let count = 0
    for (let ask = 0; ask < ASKS; ask++) {
      const startedAt = performance.now()
      const answer = await fetch(`${server.url}/console/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console-request': '1', cookie },
        // Each query needs an id of its own.
        body: JSON.stringify({ ...JSON.parse(body), id: crypto.randomUUID() }),
      })
      const text = await answer.text()
      times.push(performance.now() - startedAt)
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`)
      count = JSON.parse(text).rows.length
    }
    times.sort((one, other) => one - other)
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1)
    rows.push(`| ${name} | ${Math.min(count, 100)} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`)
  }
  await page.close()
  return rows
}

/** Runs in the page: scrolls at each frame, there and back, and gives the milliseconds between frames. */
function scrolled({ pixels, milliseconds }) {
  const scroller = document.querySelector('[role=grid]')
  return new Promise((resolve) => {
    const frames = []
    let [before, direction, startedAt] = [0, 1, 0]
    const step = (now) => {
      if (before) frames.push(now - before)
      startedAt ||= now
      before = now
      if (now - startedAt > milliseconds) return resolve(frames)
      const top = scroller.scrollTop
      if (top + scroller.clientHeight >= scroller.scrollHeight - 1) direction = -1
      else if (top <= 0) direction = 1
      scroller.scrollTop = top + direction * pixels
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })
}

async function scrolling(context) {
  const page = await context.newPage()
  await page.goto('/console/sql')
  await page.getByRole('textbox', { name: 'SQL editor' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(RESULT)
  await page.getByRole('combobox', { name: 'Most rows' }).or(page.getByRole('textbox', { name: 'Most rows' })).first().click()
  await page.getByRole('option', { name: '100,000 rows' }).click()
  await page.getByRole('textbox', { name: 'SQL editor' }).click()
  const startedAt = performance.now()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('gridcell', { name: 'reading number 1', exact: true }).waitFor({ timeout: 120_000 })
  const seconds = (performance.now() - startedAt) / 1000
  const rows = []
  for (const [name, pixels] of Object.entries(SPEEDS)) {
    const runs = []
    for (let round = 0; round < ROUNDS; round++) {
      const frames = await page.evaluate(scrolled, { pixels, milliseconds: SCROLL_SECONDS * 1000 })
      const sum = frames.reduce((all, one) => all + one, 0)
      const sorted = [...frames].sort((one, other) => one - other)
      runs.push({
        rate: (frames.length / sum) * 1000,
        p95: sorted[Math.floor(sorted.length * 0.95)],
        long: frames.filter((one) => one > 50).length,
        longest: sorted.at(-1),
      })
    }
    const [rate, p95, long, longest] = ['rate', 'p95', 'long', 'longest'].map((value) => median(runs, value))
    rows.push(`| ${name}, ${pixels} px a frame | ${rate.toFixed(1)} | ${p95.toFixed(1)} | ${long} | ${longest.toFixed(0)} |`)
  }
  await page.close()
  return { rows, seconds }
}

/** Memory of a server before its first request, in MiB. */
async function atRest(access) {
  const values = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer({ name: NAME, env: { CONSOLE: access } })
    values.push({ value: residentMiB(server.pid) })
    await server.stop()
  }
  return median(values, 'value')
}

/** Bytes of the pages as the program carries them: compressed where that is smaller. */
function sizeOfPages(folder = DIST) {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)
}

export async function console() {
  const server = await startServer({ name: NAME, env: { CONSOLE: 'loopback' } })
  const browser = await launch()
  try {
    const owner = await connectedAsOwner(server, 'supabase_admin').catch(() => connectedAsOwner(server))
    for (const statement of FILL.split(';\n')) await owner.query(statement)
    await owner.end()
    const context = await browser.newContext({ baseURL: server.url, viewport: DESKTOP, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(firstLink(server).href.replace(/^http:\/\/[^/]+/, server.url))
    await page.getByLabel('Email address').fill(OWNER.email)
    await page.getByLabel('Choose a password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await heading('Overview')(page)
    await page.close()

    const loads = await firstLoads(context)
    const pages = await pagesOf(context, server)
    const result = await scrolling(context)
    const used = residentMiB(server.pid)
    await browser.close()
    const [on, off] = [await atRest('loopback'), await atRest('off')]
    return [
      '| screen | script, kB | all, kB | until its heading, s |',
      '|---|---|---|---|',
      ...loads,
      '',
      `| page of ${TABLE_ROWS.toLocaleString('en')} rows | rows | p50 ms | p95 ms | longest ms |`,
      '|---|---|---|---|---|',
      ...pages,
      '',
      `| a result of ${RESULT_ROWS.toLocaleString('en')} rows, scrolled | frames/s | p95 of a frame, ms | frames over 50 ms | longest, ms |`,
      '|---|---|---|---|---|',
      ...result.rows,
      '',
      `Each page is asked for ${ASKS} times, one after the other, with the statement that the console's page has sent. The result has 8 columns and stands after ${result.seconds.toFixed(1)} s. It is scrolled for ${SCROLL_SECONDS} s, medians of ${ROUNDS} rounds, in a window of ${DESKTOP.width} x ${DESKTOP.height} pixels that the processor draws.`,
      '',
      `At rest \`${NAME} serve\` holds ${on.toFixed(1)} MiB (RSS) with the console and ${off.toFixed(1)} without it; after all this ${used.toFixed(0)}. The binary has ${(statSync(binary(NAME)).size / 1e6).toFixed(1)} MB; the pages are ${(sizeOfPages() / 1e6).toFixed(1)} MB on disk, with their compressed copies.`,
    ].join('\n')
  } finally {
    await browser.close().catch(() => {})
    await server.stop()
  }
}
