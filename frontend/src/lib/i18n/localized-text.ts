import { LANGUAGES, type Language } from './languages'

/**
 * What an owner wrote, in the reader's language, else in the first language there is; of a row with `<what>_fr`,
 * `<what>_en` and `<what>_es`. As stored: escaped.
 */
export function localizedText<What extends string>(
  row: Readonly<Record<`${What}_${Language}`, string | null>>,
  what: What,
  language: Language,
): string {
  const languages: readonly Language[] = [language, ...LANGUAGES]
  return languages.map((one) => row[`${what}_${one}`]).find((words) => words !== null) ?? ''
}
