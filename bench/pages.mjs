// What a first visit of the home page loads, as Chromium sees it on the wire, and how many calls
// stand between the page and its list.
import { startServer } from '../tests/support/server.mjs'
import { launch } from '../tests/support/browser.mjs'

process.env.BUILD_PROFILE ??= 'release'

const isCall = (url) => /\/(rest|auth|functions)\/v1\//.test(url)

/** The longest chain of calls in which each began only after another was answered. */
function rounds(calls, until) {
  const answered = calls.filter(({ ended }) => ended <= until).sort((a, b) => a.began - b.began)
  for (const call of answered) {
    call.depth = 1 + Math.max(0, ...answered.filter(({ ended }) => ended <= call.began).map(({ depth }) => depth))
  }
  return Math.max(0, ...answered.map(({ depth }) => depth))
}

export async function pages() {
  const server = await startServer({ args: ['--demo'] })
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const kinds = new Map()
    const types = new Map()
    const calls = []
    page.on('request', (request) => {
      if (isCall(request.url())) calls.push({ request, began: performance.now(), ended: Infinity })
    })
    page.on('requestfinished', (request) => {
      const call = calls.find((call) => call.request === request)
      if (call) call.ended = performance.now()
    })
    session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = types.get(requestId) ?? 'Other'
      kinds.set(kind, (kinds.get(kind) ?? 0) + encodedDataLength)
    })
    await page.goto(server.url)
    await page.locator('#server-list article').first().waitFor()
    const shown = performance.now()
    await page.waitForLoadState('networkidle')
    const total = [...kinds.values()].reduce((sum, bytes) => sum + bytes, 0)
    return [
      '| kind | kB on the wire |',
      '|---|---|',
      ...[...kinds].sort((a, b) => b[1] - a[1]).map(([kind, bytes]) => `| ${kind} | ${(bytes / 1000).toFixed(1)} |`),
      `| all | ${(total / 1000).toFixed(1)} |`,
      '',
      `Round trips to the services before the list shows, one waiting for the other: ${rounds(calls, shown)}, of ${calls.filter(({ ended }) => ended <= shown).length} calls.`,
    ].join('\n')
  } finally {
    await browser.close()
    await server.stop()
  }
}
