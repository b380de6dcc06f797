import { useDeferredValue } from 'react'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './ranking-list.module.css'

/** Says that places changed while the list holds still, and offers to show them. */
export function MovedNotice({ onShow }: { onShow: () => void }) {
  const { t } = useTranslation('ranking-list')
  // What is there from the beginning is not read out.
  const isRead = useDeferredValue(true, false)
  return (
    <div className={styles.moved} role="status">
      {isRead && (
        <>
          {t('moved.text')}
          <Button size="small" onClick={onShow}>
            {t('moved.show')}
          </Button>
        </>
      )}
    </div>
  )
}
