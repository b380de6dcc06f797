import '@/styles/fonts.css'
import '@/styles/tokens.css'
import '@/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { startTexts } from '@/lib/i18n'
import { canonicalPath } from '@/lib/paths'
import { currentLanguage } from '@/lib/use-language'
import { App } from './app'

const language = currentLanguage(location.pathname)
const canonical = canonicalPath(location.pathname, language)
if (canonical !== null) history.replaceState(history.state, '', canonical + location.search + location.hash)

await startTexts(language, ['shell', 'seo'])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>,
)
