import { useTranslation } from '@/lib/i18n'
import { NotFoundPage } from '@/features/not-found/not-found-page'
import { useDocumentHead } from '@/lib/use-document-head'
import styles from './page.module.css'

export function MissingPage() {
  const { t } = useTranslation('seo')
  useDocumentHead({ title: t('notFound.title'), description: t('notFound.description') })
  return (
    <div className={styles.page}>
      <NotFoundPage />
    </div>
  )
}
