declare module '*.md' {
  import type { Article } from '@/components/prose/article'

  const article: Article
  export default article
}
