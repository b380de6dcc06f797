/**
 * Texts by language and namespace, one file each, loaded by the screens that use them. English is
 * the fallback.
 */
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = ['en', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
/** Each in its own language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', fr: 'Français', es: 'Español' }

const CHOICE = 'console-language'
const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', { import: 'default' })

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const load = files[`../../locales/${language}/${namespace}.json`]
    if (!load) return done(new Error(`no texts ${language}/${namespace}`), false)
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, false),
    )
  },
}

/** The stored choice, else the first supported language of the browser, else English. */
export function preferredLanguage(preferences: readonly string[] = navigator.languages): Language {
  const stored = storedLanguage()
  const candidates = [...(stored ? [stored] : []), ...preferences].map((one) => one.slice(0, 2).toLowerCase())
  const first = candidates.find((one) => LANGUAGES.some((language) => language === one))
  return LANGUAGES.find((language) => language === first) ?? 'en'
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(CHOICE)
  } catch {
    return null
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(CHOICE, language)
  } catch {
    // Storage may be blocked; the choice then lasts until the page is closed.
  }
  await i18next.changeLanguage(language)
}

export async function startTexts(language: Language = preferredLanguage()): Promise<void> {
  i18next.on('languageChanged', (chosen) => {
    document.documentElement.lang = chosen
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'en',
      supportedLngs: LANGUAGES,
      ns: ['shared', 'shell'],
      defaultNS: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}
