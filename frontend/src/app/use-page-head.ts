/**
 * The head of a page that is always about the same, from the texts the server writes it from. Pages about a game or a
 * server know better and say so themselves.
 */
import { useTranslation } from '@/lib/i18n/i18n'
import { pageOf, type PageKey } from '@/lib/routing/pages'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import type seo from '../../locales/fr/seo.json'

type PageWithTitle = keyof typeof seo & PageKey

export function usePageHead(page: PageKey): void {
  const { t, i18n } = useTranslation('seo')
  const titled = (key: PageKey): key is PageWithTitle => i18n.exists(`seo:${key}.title`)
  const { params, indexed } = pageOf(page)
  useDocumentHead(
    titled(page) && Object.keys(params).length === 0
      ? { title: t(`${page}.title`), description: t(`${page}.description`), indexed }
      : null,
  )
}
