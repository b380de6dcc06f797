import { useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Panel } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { DeleteDialog } from './delete-dialog'
import styles from './danger-panel.module.css'

/** The section that deletes the account: what is deleted, what stays, and the button. */
export function DangerPanel({ username }: { username: string }) {
  const { t } = useTranslation('account')
  const [asking, setAsking] = useState(false)
  return (
    <Panel
      tone="danger"
      title={t('danger.title')}
      intro={t('danger.intro')}
      actions={
        <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
          {t('danger.delete')}
        </Button>
      }
    >
      <ul className={styles.list}>
        <li>{t('danger.goes')}</li>
        <li>{t('danger.hidden')}</li>
        <li>{t('danger.stays')}</li>
      </ul>
      {asking && <DeleteDialog username={username} onClose={() => setAsking(false)} />}
    </Panel>
  )
}
