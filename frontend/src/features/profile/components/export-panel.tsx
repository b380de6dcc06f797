import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { useFavorites } from '@/entities/server/favorites'
import { useTranslation } from '@/lib/i18n/i18n'
import { exportDataMutation } from '../api/export-data'
import styles from './rows.module.css'

/** Downloads all data that the site stores about the person. */
export function ExportPanel() {
  const { t } = useTranslation('profile')
  const { ids } = useFavorites()
  const take = useMutation(exportDataMutation())
  return (
    <Panel title={t('export.title')} intro={t('export.intro')}>
      <p className={styles.words}>{t('export.text')}</p>
      <div>
        <Button icon="download" busy={take.isPending} onClick={() => take.mutate({ favorites: ids })}>
          {t('export.take')}
        </Button>
      </div>
    </Panel>
  )
}
