export interface RefusedWord {
  word: string
  instead: string
  pattern: RegExp
}

export function refusedWords(path: string): Record<'fr' | 'en' | 'es', RefusedWord[]>
export function refusedWordsIn(text: string, refused: readonly RefusedWord[]): RefusedWord[]
