/** The three languages of the interface, and parsing of language tags. `paths.ts` has the paths. */

export const LANGUAGES = ['fr', 'en', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

export const DEFAULT_LANGUAGE: Language = 'fr'

/** The storage key of the chosen language. */
export const LANGUAGE_STORAGE_KEY = 'palmares.language'

/** The language's own name, as the switcher shows it. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  fr: 'Français',
  en: 'English',
  es: 'Español',
}

/** Region-qualified tags for `hreflang`. */
export const LANGUAGE_TAGS: Record<Language, string> = {
  fr: 'fr-FR',
  en: 'en-US',
  es: 'es-ES',
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && (LANGUAGES as readonly string[]).includes(value)
}

/** The language of a BCP 47 tag such as `en-US`; null if it is not one of ours. */
export function languageFromTag(tag: string | null | undefined): Language | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/, 1)[0]
  return isLanguage(primary) ? primary : null
}
