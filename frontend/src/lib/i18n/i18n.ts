/**
 * The texts of the interface: one JSON file per feature and language, fetched when a component
 * first uses it, unless the server has written it into the page. The path decides the language of a
 * page (`use-language.tsx`).
 */
import i18next, { type BackendModule, type CustomTypeOptions, type Resource, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { announceRelease, retryForever } from '@/lib/browser/connection-status'
import { config } from '@/lib/config'
import enTrouble from '../../../locales/en/trouble.json'
import esTrouble from '../../../locales/es/trouble.json'
import frTrouble from '../../../locales/fr/trouble.json'
import { LANGUAGES, type Language } from './languages'

// All other modules import the library from here.
export { useTranslation } from 'react-i18next'

type Resources = CustomTypeOptions['resources']
type Base<Key extends string> = Key extends `${infer Stem}_${'one' | 'many' | 'other'}` ? Stem : Key
type KeysOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Base<Key> : `${Key}.${KeysOf<Texts[Key]>}`
}[keyof Texts & string]

/** The key of a text with its namespace: `shell:loading`. The namespace must be loaded. */
export type TextKey = { [Name in keyof Resources]: `${Name}:${KeysOf<Resources[Name]>}` }[keyof Resources]

/** Whether the texts of a namespace are loaded. */
export function hasTexts(namespace: keyof Resources): boolean {
  return i18next.hasLoadedNamespace(namespace)
}

/** Preloads the texts of a namespace. */
export function loadTexts(namespace: keyof Resources): void {
  void i18next.loadNamespaces(namespace)
}

/** A text outside of components, which use `useTranslation`. */
export function textOf(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return String(i18next.t(key as never, values))
}

/** React escapes its output; `{{site}}` is the site's name everywhere. */
export const INTERPOLATION = { escapeValue: false, defaultVariables: { site: config.siteName } }

/** The address pattern of text files, defined by the build. */
declare const TEXTS_ADDRESS: string

/** The texts for failed fetches are part of the script. */
const TROUBLE: Record<Language, ResourceKey> = { fr: frTrouble, en: enTrouble, es: esTrouble }

const localeFiles: BackendModule = {
  type: 'backend',
  init() {},
  callbackApi: false,
  async read(language, namespace) {
    const url = TEXTS_ADDRESS.replace('{language}', language).replace('{namespace}', namespace)
    return retryForever(() => fetchTexts(url))
  },
}

/** Failed fetches of texts are retried until they succeed, so that no page shows keys. */
async function fetchTexts(url: string): Promise<ResourceKey> {
  const answer = await fetch(url)
  if (answer.status === 404) announceRelease()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.json()
}

export async function startTexts(
  language: string,
  namespaces: readonly string[],
  inPage: Resource = textsIn(document),
): Promise<void> {
  requestedLanguage = language
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: [...LANGUAGES],
      resources: Object.fromEntries(LANGUAGES.map((known) => [known, { ...inPage[known], trouble: TROUBLE[known] }])),
      // The check keeps the three languages complete, so no fallback language is loaded.
      fallbackLng: false,
      partialBundledLanguages: true,
      load: 'currentOnly',
      ns: [...namespaces],
      defaultNS: false,
      keySeparator: '.',
      interpolation: INTERPOLATION,
      react: { useSuspense: true },
    })
}

let requestedLanguage: string | undefined

/** Changes the language of all texts once the new ones are loaded; the latest call wins. */
export function speak(language: Language): void {
  if (requestedLanguage === language) return
  requestedLanguage = language
  void i18next.changeLanguage(language)
}

/**
 * Texts that the server has written into the page, by language and namespace; empty without them.
 */
function textsIn(page: Pick<Document, 'getElementById'>): Resource {
  try {
    const texts: unknown = JSON.parse(page.getElementById('palmares-texts')?.textContent ?? '{}')
    return isResource(texts) ? texts : {}
  } catch {
    return {}
  }
}

function isResource(value: unknown): value is Resource {
  return isRecord(value) && Object.values(value).every(isRecord)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
