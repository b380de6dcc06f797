import '@/styles/fonts.css'
import '@/styles/tokens.css'
import '@/styles/base.css'
import '@/styles/parts.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, matchRoutes } from 'react-router'
import { startTexts } from '@/lib/i18n'
import { canonicalPath } from '@/lib/paths'
import { currentLanguage } from '@/lib/use-language'
import { App } from './app'
import { createQueryClient } from './query-client'
import { routes, type PageHandle } from './router'

const language = currentLanguage(location.pathname)
const canonical = canonicalPath(location.pathname, language)
if (canonical !== null) history.replaceState(history.state, '', canonical + location.search + location.hash)

// Texts and rows are on their way together, before anything is drawn.
const queries = createQueryClient()
const page = matchRoutes(routes, location)?.at(-1)
const handle: PageHandle = page?.route.handle ?? {}
handle.preload?.(queries, page?.params ?? {}, new URLSearchParams(location.search))
await startTexts(language, ['ui', 'shell', 'seo', 'search', ...(handle.texts ?? [])])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* Choices in a list show at once; a page that has to be fetched shows that it is on its way. */}
    <BrowserRouter useTransitions={false}>
      <App queries={queries} />
    </BrowserRouter>
  </StrictMode>,
)
