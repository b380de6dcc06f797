// What a first visit of the home page loads, as Chromium sees it on the wire, and how many calls
// stand between the page and its list.
import { startServer } from '../tests/support/server.mjs'
import { launch } from '../tests/support/browser.mjs'

process.env.BUILD_PROFILE ??= 'release'

export async function pages() {
  const server = await startServer({ args: ['--demo'] })
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const kinds = new Map()
    const types = new Map()
    let calls = 0
    let callsBeforeList
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      types.set(requestId, type)
      if (response.url.includes('/rest/v1/')) calls += 1
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = types.get(requestId) ?? 'Other'
      kinds.set(kind, (kinds.get(kind) ?? 0) + encodedDataLength)
    })
    await page.goto(server.url)
    await page.locator('#server-list article').first().waitFor()
    callsBeforeList = calls
    await page.waitForLoadState('networkidle')
    const total = [...kinds.values()].reduce((sum, bytes) => sum + bytes, 0)
    return [
      '| kind | kB on the wire |',
      '|---|---|',
      ...[...kinds].sort((a, b) => b[1] - a[1]).map(([kind, bytes]) => `| ${kind} | ${(bytes / 1000).toFixed(1)} |`),
      `| all | ${(total / 1000).toFixed(1)} |`,
      '',
      `Calls of rest/v1 answered before the list shows: ${callsBeforeList}.`,
    ].join('\n')
  } finally {
    await browser.close()
    await server.stop()
  }
}
