/**
 * Folds a text for searches, like the database folds names: see `search_text` in sql/repeatable.
 */
const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l' }

/** Without accents, case and punctuation; words separated by one space. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replace(/[œæßøł]/g, (character) => LIGATURES[character] ?? character)
    .replace(/[\s!-/:-@[-`{-~\u00A0-\u00BF\u2000-\u206F\u3000-\u303F]+/g, ' ')
    .trim()
}
