/** The head of a page that is always about the same, from the texts the server writes it from. */
import { useTranslation } from '@/lib/i18n'
import type { PageKey } from '@/lib/pages'
import { useDocumentHead } from '@/lib/use-document-head'
import type seo from '../../locales/fr/seo.json'

type Titled = keyof typeof seo & PageKey

export function usePageHead(page: PageKey): void {
  const { t, i18n } = useTranslation(['seo', 'pages'])
  const titled = (key: PageKey): key is Titled => i18n.exists(`seo:${key}.title`)
  useDocumentHead(
    titled(page)
      ? { title: t(`seo:${page}.title`), description: t(`seo:${page}.description`) }
      : { title: `${t(`pages:${page}`)} | ${t('seo:admin.title')}`, description: t('seo:admin.description') },
  )
}
