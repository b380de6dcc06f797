/**
 * Applies the rules of `lib/routing/paths` to every address: redirects to the canonical address,
 * sets the language of the texts and of the document, and stores it.
 */
import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { speak } from '@/lib/i18n/i18n'
import type { Language } from '@/lib/i18n/languages'
import { canonicalPath } from '@/lib/routing/paths'
import { keepLanguage, useLanguage } from '@/lib/i18n/use-language'

/** The state of a link that shows the same page again, for instance in another language. */
export const KEEP_PLACE = { keepPlace: true }

export function useAddressRules(): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const language = useLanguage()
  const canonical = canonicalPath(pathname, language)

  useEffect(() => {
    if (canonical === null) return
    // The language of an address that loses its prefix, as those of the administration do, is
    // remembered.
    keepLanguage(language)
    void navigate(canonical + search + hash, { replace: true })
  }, [canonical, language, search, hash, navigate])

  useLayoutEffect(() => setLanguage(language), [language])
}

/** The one place where the language of the page is set. */
function setLanguage(language: Language): void {
  document.documentElement.lang = language
  keepLanguage(language)
  speak(language)
}

export function keepsPlace(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'keepPlace' in state
}
