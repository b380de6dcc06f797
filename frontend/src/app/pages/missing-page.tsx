import { NotFoundPage } from '@/features/not-found/not-found-page'
import { useTranslation } from '@/lib/i18n/i18n'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import styles from '../page.module.css'

export function MissingPage() {
  const { t } = useTranslation('seo')
  useDocumentHead({ title: t('notFound.title'), description: t('notFound.description'), indexed: false })
  return (
    <div className={styles.wide}>
      <NotFoundPage />
    </div>
  )
}
