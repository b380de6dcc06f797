/** Values that are known only at run time: the site's address, the cooldown. */
import type { Article } from '@/components/prose/article'

export type Words = Readonly<Record<string, string>>

const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** The article with each `{{name}}` replaced; in HTML the value is escaped. */
export function withWords(article: Article, words: Words): Article {
  const filled = (text: string, isHtml: boolean): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (found, name: string) => {
      const word = words[name]
      if (word === undefined) return found
      return isHtml ? word.replaceAll(/[<>&"]/g, (sign) => ENTITIES[sign] ?? '') : word
    })
  return JSON.parse(JSON.stringify(article), (key, value: unknown) =>
    typeof value === 'string' ? filled(value, key === 'html') : value,
  ) as Article
}
