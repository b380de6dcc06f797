/**
 * The texts of the interface: one JSON file per feature and language, fetched when a component first asks for it, unless
 * the server has written it into the page. Which language a page is in is not decided here but by the path
 * (`use-language.tsx`).
 */
import i18next, { type BackendModule, type CustomTypeOptions, type Resource, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { announceRelease, retryForever } from '@/lib/browser/connection-status'
import { config } from '@/lib/config'
import enTrouble from '../../../locales/en/trouble.json'
import esTrouble from '../../../locales/es/trouble.json'
import frTrouble from '../../../locales/fr/trouble.json'
import { LANGUAGES, type Language } from './languages'

// Everything else takes the library from here.
export { useTranslation } from 'react-i18next'

type Resources = CustomTypeOptions['resources']
type Base<Key extends string> = Key extends `${infer Stem}_${'one' | 'many' | 'other'}` ? Stem : Key
type KeysOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Base<Key> : `${Key}.${KeysOf<Texts[Key]>}`
}[keyof Texts & string]

/** A text named from anywhere: `shell:loading`. Its namespace must be loaded by then. */
export type TextKey = { [Name in keyof Resources]: `${Name}:${KeysOf<Resources[Name]>}` }[keyof Resources]

/** Whether the texts of a namespace are there. */
export function hasTexts(namespace: keyof Resources): boolean {
  return i18next.hasLoadedNamespace(namespace)
}

/** Asks for the texts of a namespace before they are wanted. */
export function loadTexts(namespace: keyof Resources): void {
  void i18next.loadNamespaces(namespace)
}

/** A text outside components, which take `useTranslation`. */
export function textOf(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return String(i18next.t(key as never, values))
}

/** React escapes what it writes; `{{site}}` is the site's name everywhere. */
export const INTERPOLATION = { escapeValue: false, defaultVariables: { site: config.siteName } }

/** Where a file of texts is, as the build knows it. */
declare const TEXTS_ADDRESS: string

/** What is said when nothing else can be fetched comes with the script. */
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

/** Texts that do not come are waited for, so that no page ever shows their keys. */
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
  wanted = language
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: [...LANGUAGES],
      resources: Object.fromEntries(LANGUAGES.map((known) => [known, { ...inPage[known], trouble: TROUBLE[known] }])),
      // The check holds the three languages complete, so nobody loads another than their own.
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

let wanted: string | undefined

/** Changes the language of all texts, once those of the new one are there; a later wish wins. */
export function speak(language: Language): void {
  if (wanted === language) return
  wanted = language
  void i18next.changeLanguage(language)
}

/** Texts the server has written into the page, by language and namespace; none when it has not. */
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
