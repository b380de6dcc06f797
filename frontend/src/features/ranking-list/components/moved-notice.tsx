import { useDeferredValue } from 'react'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './ranking-list.module.css'

/** Says that places changed while the list keeps its order, and offers to show them. */
export function MovedNotice({ onShow }: { onShow: () => void }) {
  const { t } = useTranslation('ranking-list')
  // A live region announces only text that is added later.
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
