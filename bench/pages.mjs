// What a first visit of each area loads on a phone, and its Lighthouse scores: medians of BENCH_RUNS visits (5)
// with an empty cache each, and their spread. PALMARES_BINARY names another binary to measure, such as one built before a change.
import { execFileSync } from 'node:child_process'
import { createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { launchOnPort } from '../tests/support/browser.mjs'
import { lighthouse } from '../tests/support/lighthouse.mjs'
import { scratchFolder, startServer } from '../tests/support/server.mjs'

process.env.BUILD_PROFILE ??= 'release'

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const FRONTEND = fileURLToPath(new URL('../frontend', import.meta.url))
const KINDS = ['Script', 'Font', 'Fetch', 'Image', 'Stylesheet', 'Document']
const SCORES = ['performance', 'accessibility', 'best-practices', 'seo']
const ACCOUNT = { email: 'owner@palmares.test', password: 'palmares-demo' }
/** Upper limit of the script that an area of the site loads, in kilobytes as sent. */
const MOST_SCRIPT = 190

const isRows = (url) => /\/(rest|auth|functions)\/v1\//.test(url)

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** One visit with Lighthouse's emulated phone. */
async function visit(port, url, keepsSession) {
  const { lhr } = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: SCORES,
    disableStorageReset: keepsSession,
    // By default Lighthouse keeps part of the storage, so that every visit after the first would be a returning visitor's.
    clearStorageTypes: ['all'],
    maxWaitForLoad: 30_000,
  })
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  const requests = lhr.audits['network-requests'].details.items.filter(({ url }) => url.startsWith('http'))
  const of = (filter) => requests.filter(filter).reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000
  return {
    ...Object.fromEntries(SCORES.map((name) => [name, Math.round(lhr.categories[name].score * 100)])),
    ...Object.fromEntries(KINDS.map((kind) => [kind, of(({ resourceType }) => resourceType === kind)])),
    all: of(() => true),
    requests: requests.length,
    calls: requests.filter(({ url }) => isRows(url)).length,
    shift: lhr.audits['cumulative-layout-shift'].numericValue,
    first: lhr.audits['first-contentful-paint'].numericValue / 1000,
    largest: lhr.audits['largest-contentful-paint'].numericValue / 1000,
    faults: Object.values(lhr.audits)
      .filter(({ id, score }) => score === 0 && lhr.categories && isOfScores(lhr, id))
      .map(({ id }) => id),
  }
}

/** Whether a failure of the audit lowers a score other than performance. */
const isOfScores = (lhr, id) =>
  SCORES.slice(1).some((name) => lhr.categories[name].auditRefs.some((ref) => ref.id === id && ref.weight > 0))

async function measure(port, url, { runs = RUNS, signedIn } = {}) {
  const visits = []
  for (let run = 0; run < runs; run++) {
    // Lighthouse can only empty the cache together with the session, so a signed-in browser's cache is emptied here.
    if (signedIn) await emptyCache(signedIn)
    visits.push(await visit(port, url, Boolean(signedIn)))
  }
  const numbers = Object.keys(visits[0]).filter((name) => name !== 'faults')
  return {
    ...Object.fromEntries(numbers.map((name) => [name, median(visits.map((visit) => visit[name]))])),
    spread: (name) => [Math.min, Math.max].map((end) => end(...visits.map((visit) => visit[name]))),
    faults: [...new Set(visits.flatMap(({ faults }) => faults))],
  }
}

async function emptyCache(context) {
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.close()
}

/** Signs a browser in as the sign-in page would; returns the id of one of that account's servers. */
async function signIn(context, server) {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  const session = await response.text()
  if (!response.ok) throw new Error(`signing in: ${session}`)
  const page = await context.newPage()
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate((text) => localStorage.setItem('palmares-session', text), session)
  await page.close()
  return ownServer(server, JSON.parse(session))
}

async function ownServer(server, { access_token, user }) {
  const query = `owner_id=eq.${user.id}&select=id&order=created_at&limit=1`
  const headers = { apikey: server.keys.ANON_KEY, authorization: `Bearer ${access_token}` }
  const [{ id }] = await (await fetch(`${server.url}/rest/v1/servers?${query}`, { headers })).json()
  return id
}

/** Serves a build with the kit's page, which no release has; null with PALMARES_BINARY, which may not serve another build. */
async function kitServer(folder) {
  if (process.env.PALMARES_BINARY) return null
  execFileSync('npx', ['vite', 'build', '--mode', 'kit', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'], {
    cwd: FRONTEND,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('npm', ['run', '--silent', 'compress', '--', folder], { cwd: FRONTEND })
  return startServer({ args: ['--pages-dir', folder] })
}

/** A proxy that answers the kit's page with 200 instead of 404, because Lighthouse measures no page with an error status. */
function asFound(origin) {
  const proxy = createServer((incoming, response) => {
    const outgoing = request(origin + incoming.url, { method: incoming.method, headers: incoming.headers }, (upstream) => {
      const isPage = upstream.headers['content-type']?.startsWith('text/html')
      response.writeHead(isPage ? 200 : upstream.statusCode, upstream.headers)
      upstream.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  return new Promise((resolve) =>
    proxy.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://localhost:${proxy.address().port}`, stop: () => proxy.close() }),
    ),
  )
}

function table(areas) {
  const columns = Object.entries(areas)
  const row = (name, cell) => `| ${name} | ${columns.map(([, area]) => cell(area)).join(' | ')} |`
  const kilobytes = (kind) => (area) => area[kind].toFixed(1)
  return [
    `| | ${columns.map(([name]) => name).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    row('Lighthouse: performance', ({ performance, spread }) => `${performance} (${spread('performance').join(' to ')})`),
    row('accessibility', ({ accessibility }) => accessibility),
    row('best practices', (area) => area['best-practices']),
    row('SEO', ({ seo }) => seo),
    row('first paint, s', ({ first }) => first.toFixed(1)),
    row('largest paint, s', ({ largest, spread }) => {
      const ends = spread('largest').map((end) => end.toFixed(1))
      return `${largest.toFixed(1)} (${ends.join(' to ')})`
    }),
    row('layout shift', ({ shift }) => shift.toFixed(3)),
    row('requests', ({ requests }) => requests),
    row('of these to the services', ({ calls }) => calls),
    ...KINDS.map((kind) => row(`${kind}, kB`, kilobytes(kind))),
    row('all, kB', kilobytes('all')),
    '',
    ...columns
      .filter(([, { faults }]) => faults.length > 0)
      .map(([name, { faults }]) => `What costs points on ${name}: ${faults.join(', ')}.`),
  ].join('\n')
}

export async function pages() {
  const [profile, build] = [scratchFolder(), scratchFolder()]
  const stops = [profile.remove, build.remove]
  try {
    const server = await startServer({ args: ['--demo'] })
    stops.unshift(() => server.stop())
    const kit = await kitServer(build.path)
    if (kit) stops.unshift(() => kit.stop())
    const port = 9300 + (process.pid % 500)
    const context = await launchOnPort(profile.path, port)
    stops.unshift(() => context.close())
    const areas = {}
    for (const [name, path] of [['home', '/'], ['game', '/serveurs-minecraft'], ['server', '/serveur/loupgarde']])
      areas[name] = await measure(port, server.url + path)
    if (kit) {
      const found = await asFound(kit.url)
      stops.unshift(found.stop)
      areas.kit = await measure(port, `${found.url}/dev/kit`, { runs: 1 })
    }
    // Runs last, because the browser stays signed in.
    const session = await signIn(context, server)
    const signedIn = (path, runs) => measure(port, server.url + path, { runs, signedIn: context })
    areas['profile, signed in'] = await signedIn('/profile', RUNS)
    const owners = { 'adding a server': '/add-server', 'editing a server': `/edit-server/${session}` }
    for (const [name, path] of Object.entries(owners)) areas[name] = await signedIn(path, 1)
    const heavy = Object.keys(owners).filter((name) => areas[name].Script > MOST_SCRIPT)
    return [
      table(areas),
      `Medians of ${RUNS} visits with Lighthouse's phone (a slow 4G, a processor four times slower); their smallest and largest in brackets; one of the kit and of an owner's pages.`,
      ...heavy.map((name) => `Over ${MOST_SCRIPT} kB of script: ${name}.`),
    ].join('\n')
  } finally {
    for (const stop of stops) await stop()
  }
}
