import { useTranslation } from '@/lib/i18n'
import { ComingSoonPage, type ComingScreen } from '@/features/coming-soon/coming-soon-page'
import { useDocumentHead } from '@/lib/use-document-head'
import styles from './page.module.css'

export function ComingPage({ screen }: { screen: ComingScreen }) {
  const { t } = useTranslation('seo')
  useDocumentHead({ title: t(`${screen}.title`), description: t(`${screen}.description`) })
  return (
    <div className={styles.page}>
      <ComingSoonPage screen={screen} />
    </div>
  )
}
