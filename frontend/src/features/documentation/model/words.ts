/** Words that are known only where a page is shown: the site's address, the cooldown. */
import type { Article } from '@/components/prose/article'

export type Words = Readonly<Record<string, string>>

/** The article with each `{{name}}` replaced. Words are of the site's own making, and are escaped for HTML all the same. */
export function withWords(article: Article, words: Words): Article {
  // Every text of an article is a JSON string, in HTML or in code alike.
  const text = JSON.stringify(article).replaceAll(/\{\{(\w+)\}\}/g, (found, name: string) => {
    const word = words[name]
    return word === undefined ? found : JSON.stringify(word.replaceAll(/[<>&"]/g, '')).slice(1, -1)
  })
  return JSON.parse(text) as Article
}
