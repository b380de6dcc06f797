// The toasts that the pages of a browser show. One disappears after some seconds, possibly before its page has loaded
// or a test looks, so each is recorded when it is shown.
import { EventEmitter, once } from 'node:events'
import { DEADLINE } from './server.mjs'

/** The texts of each page's toasts that no test has expected yet, and the event of a new one. */
const records = new WeakMap()

function recordOf(page) {
  if (!records.has(page)) records.set(page, { texts: [], events: new EventEmitter() })
  return records.get(page)
}

/** Records the toasts of all pages in a browser context from now on. */
export async function recordToasts(context) {
  await context.exposeBinding('reportToast', ({ page }, text) => {
    const { texts, events } = recordOf(page)
    texts.push(text)
    events.emit('toast')
  })
  await context.addInitScript(() => {
    let shown = []
    const report = (viewport) => {
      const toasts = [...viewport.querySelectorAll('[role=group], [role=alert]')].filter((toast) => toast.checkVisibility())
      const texts = toasts.map((toast) => toast.textContent)
      for (const text of texts) if (!shown.includes(text)) window.reportToast(text)
      shown = texts
    }
    // The first render makes the viewport, and it stays.
    new MutationObserver((_, search) => {
      const viewport = document.querySelector('[role=region][aria-label$="(F8)"]')
      if (viewport === null) return
      search.disconnect()
      report(viewport)
      const changes = { childList: true, subtree: true, characterData: true }
      new MutationObserver(() => report(viewport)).observe(viewport, changes)
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Waits for a toast that contains the text and closes it, so that the next one is not confused with it. */
export async function expectToast(page, text) {
  const { texts, events } = recordOf(page)
  const find = () => texts.findIndex((shown) => shown.includes(text))
  const signal = AbortSignal.timeout(DEADLINE)
  while (find() === -1) {
    await once(events, 'toast', { signal }).catch(() => {
      throw new Error(`no toast “${text}” came within ${DEADLINE} ms; others: ${JSON.stringify(texts)}`)
    })
  }
  texts.splice(0, find() + 1)
  // An open dialog hides it from screen readers.
  const viewport = page.getByRole('region', { name: '(F8)', includeHidden: true })
  const toast = viewport.locator('[role=group], [role=alert]').filter({ hasText: text }).first()
  const detached = toast.waitFor({ state: 'detached' })
  // It may disappear just before the click.
  await Promise.race([toast.getByRole('button').last().click().catch(() => detached), detached])
  await detached
}
