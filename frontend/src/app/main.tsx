import '@/styles/fonts.css'
import '@/styles/tokens.css'
import '@/styles/base.css'
import '@/styles/parts.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { showToast } from '@/components/ui/toast-store'
import { startTexts } from '@/lib/i18n/i18n'
import { createQueryClient } from '@/lib/query/query-client'
import { arrivalAt } from '@/lib/session/session-store'
import { canonicalPath } from '@/lib/routing/paths'
import { loadRowsClient } from '@/lib/api/load-rows-client'
import { currentLanguage, keepLanguage } from '@/lib/i18n/use-language'
import { dropWritten, firstMissed } from '@/lib/api/written-rows'
import { App } from './app'
import { showDisplayFont } from './display-font'
import { listenForErrors, reportError } from './error-reports'
import { prepare, startingTexts } from './router'
import { showTroubles } from './trouble-notice'

listenForErrors()
showTroubles()
const arrival = arrivalAt(location)
const language = currentLanguage(location.pathname)
const canonical = canonicalPath(location.pathname, language)
if (canonical !== null) {
  // The language of an address that loses its prefix, as those of the administration do, is
  // remembered.
  keepLanguage(language)
  history.replaceState(history.state, '', canonical + location.search + location.hash)
}

/**
 * Milliseconds after which a drawn page subscribes to topics and fetches the typeface of headings,
 * so that the first content has connection and processor for itself.
 */
const LATER = 4_000
const ignore = (): void => {}

showDisplayFont(false)
void begin()

/** No top-level await: pages share the file of this module, and each would wait for the other. */
async function begin(): Promise<void> {
  // Code, texts and rows are fetched in parallel before anything is drawn. A failed fetch of code
  // is reported when the code is needed.
  const queries = createQueryClient({ announce: showToast })
  const [page] = await Promise.all([
    prepare(queries, location.pathname, location.search).catch(() => null),
    startTexts(language, startingTexts(location.pathname)),
  ])
  // Rows in the HTML are read first; rows that have to be fetched are not waited for.
  await Promise.race([page?.rows, firstMissed])
  const root = createRoot(document.getElementById('root')!, {
    // An error boundary shows something else instead, and does not report the error itself.
    onCaughtError(error) {
      // oxlint-disable-next-line no-console -- React's default where no handler is set.
      console.error(error)
      reportError(error)
    },
  })
  // Hydrates in slices, between which the browser can paint the server's HTML and handle input.
  startTransition(() =>
    root.render(
      <StrictMode>
        {/* Filters of a list apply at once; a page that has to be fetched shows a pending
            state. */}
        <BrowserRouter useTransitions={false}>
          <App queries={queries} arrival={arrival} />
        </BrowserRouter>
      </StrictMode>,
    ),
  )
  dropWritten()
  // The next query finds the client loaded.
  loadRowsClient().catch(() => {})
  setTimeout(() => {
    showDisplayFont(true)
    import('./live').then(({ followLive }) => followLive(queries), ignore)
  }, LATER)
  import('./motion-preferences').then(({ followMotionPreferences }) => followMotionPreferences()).catch(() => {})
}
