/** Pages of prose, loaded lazily in the language of the page. */
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import type { Article } from '@/components/prose/article'
import { ArticleView } from '@/components/prose/article-view'
import { lazyModule, lazyComponent, type LazyModule } from '@/lib/browser/lazy'
import type { Language } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { withWords, type Words } from './model/words'

type Articles = Record<Language, LazyModule<{ default: Article }>>

export const VOTIFIER_GUIDE: Articles = {
  fr: lazyModule(() => import('../../../content/fr/votifier-guide.md')),
  en: lazyModule(() => import('../../../content/en/votifier-guide.md')),
  es: lazyModule(() => import('../../../content/es/votifier-guide.md')),
}

export const API_DOCS: Articles = {
  fr: lazyModule(() => import('../../../content/fr/api-docs.md')),
  en: lazyModule(() => import('../../../content/en/api-docs.md')),
  es: lazyModule(() => import('../../../content/es/api-docs.md')),
}

export const HOW_RANKING: Articles = {
  fr: lazyModule(() => import('../../../content/fr/how-ranking.md')),
  en: lazyModule(() => import('../../../content/en/how-ranking.md')),
  es: lazyModule(() => import('../../../content/es/how-ranking.md')),
}

export const PRIVACY: Articles = {
  fr: lazyModule(() => import('../../../content/fr/privacy.md')),
  en: lazyModule(() => import('../../../content/en/privacy.md')),
  es: lazyModule(() => import('../../../content/es/privacy.md')),
}

export const TERMS: Articles = {
  fr: lazyModule(() => import('../../../content/fr/terms.md')),
  en: lazyModule(() => import('../../../content/en/terms.md')),
  es: lazyModule(() => import('../../../content/es/terms.md')),
}

export const TERMS_OF_SALE: Articles = {
  fr: lazyModule(() => import('../../../content/fr/terms-of-sale.md')),
  en: lazyModule(() => import('../../../content/en/terms-of-sale.md')),
  es: lazyModule(() => import('../../../content/es/terms-of-sale.md')),
}

interface ReadingProps {
  /** Values for `{{name}}` in the text. */
  words?: Words
  /** Shown before the text. */
  top?: ReactNode
}

/** A component that shows an article in the page's language. */
export function reading(articles: Articles): FunctionComponent<ReadingProps> {
  const of = (language: Language) =>
    lazyComponent(articles[language], (module) => {
      const { default: article } = module
      return function Reading({ words, top }: ReadingProps) {
        return <ArticleView article={words ? withWords(article, words) : article} top={top} />
      }
    })
  const parts: Record<Language, FunctionComponent<ReadingProps>> = { fr: of('fr'), en: of('en'), es: of('es') }
  return function Read(props) {
    const language = useLanguage()
    return createElement(parts[language], { key: language, ...props })
  }
}
