/**
 * The texts of the interface: one JSON file per feature and language, fetched when a component first asks for it.
 * Which language a page is in is not decided here but by the path (`use-language.tsx`).
 */
import i18next, { type BackendModule, type CustomTypeOptions } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { LANGUAGES } from './languages'

// Everything else takes the library from here.
export { useTranslation } from 'react-i18next'

type Resources = CustomTypeOptions['resources']
type Base<Key extends string> = Key extends `${infer Stem}_${'one' | 'many' | 'other'}` ? Stem : Key
type KeysOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Base<Key> : `${Key}.${KeysOf<Texts[Key]>}`
}[keyof Texts & string]

/** A text named from anywhere: `shell:loading`. Its namespace must be loaded by then. */
export type TextKey = { [Name in keyof Resources]: `${Name}:${KeysOf<Resources[Name]>}` }[keyof Resources]

/** A text outside components, which take `useTranslation`. */
export function textOf(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return String(i18next.t(key as never, values))
}

const files = import.meta.glob<string>('../../locales/*/*.json', { query: '?url', import: 'default', eager: true })

const localeFiles: BackendModule = {
  type: 'backend',
  init() {},
  async read(language, namespace) {
    const url = files[`../../locales/${language}/${namespace}.json`]
    if (url === undefined) throw new Error(`no texts for ${namespace} in ${language}`)
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`texts for ${namespace} in ${language} answered ${answer.status}`)
    return answer.json()
  },
}

export async function startTexts(language: string, namespaces: readonly string[]): Promise<void> {
  await i18next
    .use(localeFiles)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: [...LANGUAGES],
      // The check holds the three languages complete, so nobody loads another than their own.
      fallbackLng: false,
      partialBundledLanguages: true,
      load: 'currentOnly',
      ns: [...namespaces],
      defaultNS: false,
      keySeparator: '.',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}
