import type { Language } from './languages'

export interface TranslatedName {
  name: string
  name_fr: string | null
  name_en: string | null
  name_es: string | null
}

/** A name in the reader's language; the first one if it is not translated. */
export const nameIn = (row: TranslatedName, language: Language): string => row[`name_${language}`] ?? row.name
