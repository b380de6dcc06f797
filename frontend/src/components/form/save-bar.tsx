import { useFormState } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { FormRefusal } from './submit'
import styles from './save-bar.module.css'

interface SaveBarProps {
  form: { busy: boolean; dirty: boolean; discard: () => void }
  /** The label of the button; "Save" by default. */
  label?: string
  /** Texts for the state of the form, if it is not about saving. */
  words?: { clean: string; dirty: string }
  /**
   * Whether an untouched form may be submitted, as for a new thing: the missing fields are reported
   * then.
   */
  sendsUntouched?: boolean
}

/**
 * A bar that stays at the bottom of the window for forms longer than a screen, and says whether
 * there are unsaved changes.
 */
export function SaveBar({ form, label, words, sendsUntouched = false }: SaveBarProps) {
  const { t } = useTranslation('form')
  const { errors } = useFormState()
  const wrong = Object.keys(errors).length
  const hasChanges = form.dirty || form.busy
  const open = hasChanges || sendsUntouched
  const state = hasChanges ? (words?.dirty ?? t('save.unsaved')) : (words?.clean ?? t('save.saved'))
  return (
    <div className={styles.bar}>
      <div className={styles.inner}>
        <FormRefusal />
        <p className={styles.state} role="status">
          {wrong > 0 ? t('save.wrong', { count: wrong }) : state}
        </p>
        <div className={styles.buttons}>
          {form.dirty && (
            <Button variant="quiet" onClick={form.busy ? undefined : form.discard}>
              {t('save.discard')}
            </Button>
          )}
          <Button
            type="submit"
            variant={open ? 'primary' : 'secondary'}
            busy={form.busy}
            aria-disabled={!open || undefined}
            onClick={(event) => {
              if (!open) event.preventDefault()
            }}
          >
            {label ?? t('save.submit')}
          </Button>
        </div>
      </div>
    </div>
  )
}
