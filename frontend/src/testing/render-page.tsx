/**
 * Renders a component as the app does: texts of one language, router, query cache, no session. For
 * tests only.
 */
import { QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { initReactI18next } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { showToast } from '@/components/ui/toast-store'
import { INTERPOLATION } from '@/lib/i18n/i18n'
import { LANGUAGES, type Language } from '@/lib/i18n/languages'
import { paths } from '@/lib/routing/paths'
import { createQueryClient } from '@/lib/query/query-client'
import { SessionProvider } from '@/lib/session/session'
import { arrivalAt } from '@/lib/session/session-store'

const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', { eager: true, import: 'default' })

function allTexts(): Record<string, Record<string, Record<string, unknown>>> {
  const texts: Record<string, Record<string, Record<string, unknown>>> = {}
  for (const [file, content] of Object.entries(files)) {
    const [language = '', name = ''] = file.split('/').slice(-2)
    ;(texts[language] ??= {})[name.replace('.json', '')] = content
  }
  return texts
}

// The library outlives a test file, and another file may have set other texts.
let isReady = false

async function readyTexts(language: Language): Promise<void> {
  if (isReady) return void (await i18next.changeLanguage(language))
  await i18next.use(initReactI18next).init({
    lng: language,
    supportedLngs: [...LANGUAGES],
    fallbackLng: false,
    resources: allTexts() as never,
    defaultNS: false,
    interpolation: INTERPOLATION,
  })
  isReady = true
}

interface PageOptions {
  language?: Language
  path?: string
}

export async function renderPage(page: ReactNode, { language = 'fr', path }: PageOptions = {}): Promise<RenderResult> {
  document.documentElement.lang = language
  await readyTexts(language)
  const queries = createQueryClient({ announce: showToast, retries: 0 })
  return render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path ?? paths.home(language)]}>
        <SessionProvider arrival={arrivalAt(window.location)}>{page}</SessionProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
