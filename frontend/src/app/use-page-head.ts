/**
 * The head of a page whose subject is fixed, from the same texts from which the server writes it.
 * Pages about a game or a server set their own.
 */
import i18next from 'i18next'
import { pageOf, type PageKey } from '@/lib/routing/pages'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { useHeadTexts } from '@/lib/routing/use-head-texts'
import type seo from '../../locales/fr/seo.json'

type PageWithTitle = keyof typeof seo & PageKey

export function usePageHead(page: PageKey): void {
  const t = useHeadTexts()
  const titled = (key: PageKey): key is PageWithTitle => i18next.exists(`seo:${key}.title`)
  const { params, indexed } = pageOf(page)
  useDocumentHead(
    t && titled(page) && Object.keys(params).length === 0
      ? { title: t(`${page}.title`), description: t(`${page}.description`), indexed }
      : null,
  )
}
