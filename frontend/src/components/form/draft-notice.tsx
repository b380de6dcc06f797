import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './form.module.css'

/** Says that an earlier draft was restored. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation('form')
  return (
    <div className={styles.notice} role="status">
      <Icon name="clock" size={18} />
      <p>{t('draft.restored')}</p>
      <Button size="small" variant="quiet" onClick={onDiscard}>
        {t('draft.discard')}
      </Button>
    </div>
  )
}
