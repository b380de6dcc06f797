/** The language of the shown page, from its path and the stored choice. */
import { useLocation } from 'react-router'
import { LANGUAGE_STORAGE_KEY, type Language } from './languages'
import { detectLanguage } from '@/lib/routing/paths'
import { readStored, writeStored } from '@/lib/browser/stored'

export function useLanguage(): Language {
  return currentLanguage(useLocation().pathname)
}

export function currentLanguage(path: string): Language {
  return detectLanguage(path, readStored(LANGUAGE_STORAGE_KEY), document.documentElement.lang, navigator.language)
}

export function keepLanguage(language: Language): void {
  writeStored(LANGUAGE_STORAGE_KEY, language)
}
