/**
 * Holds every address to the rules of `lib/paths`: redirects to the canonical one, makes its language that of the
 * texts and of the document, keeps it, and scrolls to where a new page begins.
 */
import i18next from 'i18next'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import type { Language } from '@/lib/languages'
import { canonicalPath } from '@/lib/paths'
import { keepLanguage, useLanguage } from '@/lib/use-language'

/** Given along with a link that shows the same page again, such as in another language. */
export const KEEP_PLACE = { keepPlace: true }

export function useAddressRules(): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const language = useLanguage()
  const canonical = canonicalPath(pathname, language)

  useEffect(() => {
    if (canonical !== null) void navigate(canonical + search + hash, { replace: true })
  }, [canonical, search, hash, navigate])

  useLayoutEffect(() => speak(language), [language])
  useScroll(pathname, hash)
}

/** The one place where the language of the page is set. */
function speak(language: Language): void {
  document.documentElement.lang = language
  keepLanguage(language)
  if (i18next.language !== language) void i18next.changeLanguage(language)
}

/**
 * A new page starts at its top, with the focus on its content; a fragment at its element. Going back is left to the
 * browser.
 */
function useScroll(pathname: string, hash: string): void {
  const kind = useNavigationType()
  const { key, state } = useLocation()
  const shown = useRef({ key, pathname })
  useEffect(() => {
    const before = shown.current
    shown.current = { key, pathname }
    if (kind === 'POP' || before.key === key || keepsPlace(state)) return
    if (before.pathname !== pathname) document.getElementById('content')?.focus({ preventScroll: true })
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'start' })
    else if (before.pathname !== pathname) window.scrollTo(0, 0)
  }, [key, kind, state, pathname, hash])
}

function keepsPlace(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'keepPlace' in state
}
