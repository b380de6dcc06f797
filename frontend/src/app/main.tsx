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
  // An address that loses its prefix, as those of the administration do, is still read in its language.
  keepLanguage(language)
  history.replaceState(history.state, '', canonical + location.search + location.hash)
}

/**
 * Milliseconds after which a page that is drawn begins to listen, and fetches the typeface of its headings: what is read
 * first has connection and processor for itself.
 */
const LATER = 4_000
const ignore = (): void => {}

showDisplayFont(false)
void begin()

/** Nothing is awaited outside: pages share the file this stands in, and each would wait for the other. */
async function begin(): Promise<void> {
  // Code, texts and rows are on their way together, before anything is drawn. Code that does not come is told of when
  // it is wanted.
  const queries = createQueryClient({ announce: showToast })
  const [page] = await Promise.all([
    prepare(queries, location.pathname, location.search).catch(() => null),
    startTexts(language, startingTexts(location.pathname)),
  ])
  // What the page holds is read first; what has to be fetched is not waited for.
  await Promise.race([page?.rows, firstMissed])
  const root = createRoot(document.getElementById('root')!, {
    // A boundary shows something else instead, and nothing else hears of it.
    onCaughtError(error) {
      // oxlint-disable-next-line no-console -- what React does where nobody listens.
      console.error(error)
      reportError(error)
    },
  })
  // In slices, between which the browser can paint what the server wrote and take a touch.
  startTransition(() =>
    root.render(
      <StrictMode>
        {/* Choices in a list show at once; a page that has to be fetched shows that it is on its way. */}
        <BrowserRouter useTransitions={false}>
          <App queries={queries} arrival={arrival} />
        </BrowserRouter>
      </StrictMode>,
    ),
  )
  dropWritten()
  // The next question finds it there.
  loadRowsClient().catch(() => {})
  setTimeout(() => {
    showDisplayFont(true)
    import('./live').then(({ followLive }) => followLive(queries), ignore)
  }, LATER)
  import('./motion-preferences').then(({ followMotionPreferences }) => followMotionPreferences()).catch(() => {})
}
