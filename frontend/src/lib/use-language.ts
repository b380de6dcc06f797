/** The language of the page being shown, as its path and the kept choice decide. */
import { useLocation } from 'react-router'
import { LANGUAGE_STORAGE_KEY, type Language } from './languages'
import { detectLanguage } from './paths'

export function useLanguage(): Language {
  return currentLanguage(useLocation().pathname)
}

export function currentLanguage(path: string): Language {
  return detectLanguage(path, storedLanguage(), document.documentElement.lang, navigator.language)
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_STORAGE_KEY, language)
  } catch {
    // Storage may be refused; the choice then lasts as long as the address.
  }
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_STORAGE_KEY)
  } catch {
    return null
  }
}
