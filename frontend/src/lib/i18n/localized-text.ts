import { LANGUAGES, type Language } from './languages'

/**
 * An owner's text in the reader's language, else in the first available one; from a row with
 * `<what>_fr`, `<what>_en` and `<what>_es`. Stored text, which is escaped.
 */
export function localizedText<What extends string>(
  row: Readonly<Record<`${What}_${Language}`, string | null>>,
  record: What,
  language: Language,
): string {
  const languages: readonly Language[] = [language, ...LANGUAGES]
  return languages.map((one) => row[`${record}_${one}`]).find((words) => words !== null) ?? ''
}
