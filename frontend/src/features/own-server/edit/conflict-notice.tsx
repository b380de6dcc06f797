import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { plainText, shorten } from '@/lib/text/stored-text'
import type { ServerField } from '../model/server-fields'
import { valuesOf } from '../model/server-form'
import type { Conflict } from './use-saving'
import styles from './conflict-notice.module.css'

interface ConflictNoticeProps {
  conflict: Conflict | null
  /** Names of the fields, as the form calls them. */
  labelOf: (field: ServerField) => string
  onDiscard: () => void
  onOverwrite: () => void
}

/**
 * Shows what was changed elsewhere, and lets the owner choose a version. Nothing has been saved
 * yet.
 */
export function ConflictNotice({ conflict, labelOf, onDiscard, onOverwrite }: ConflictNoticeProps) {
  const { t } = useTranslation('own-server')
  return (
    <div role="alert">
      {conflict && (
        <div className={styles.notice}>
          <h2 className={styles.title}>{t('conflict.title')}</h2>
          <p>{t('conflict.text')}</p>
          <dl className={styles.fields}>
            {conflict.fields.map((field) => (
              <div key={field} className={styles.field}>
                <dt>{labelOf(field)}</dt>
                <dd>{textOf(valuesOf(conflict.fresh)[field]) || t('conflict.nothing')}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.buttons}>
            <Button onClick={onDiscard}>{t('conflict.theirs')}</Button>
            <Button variant="danger" onClick={onOverwrite}>
              {t('conflict.mine')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

const LONGEST = 160

function textOf(value: string | readonly string[]): string {
  return shorten(typeof value === 'string' ? plainText(value) : value.join(', '), LONGEST)
}
