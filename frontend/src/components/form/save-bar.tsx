import { useFormState } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { FormRefusal } from './submit'
import styles from './save-bar.module.css'

interface SaveBarProps {
  form: { busy: boolean; dirty: boolean; discard: () => void }
  /** What saving is called here; "Save" unless told. */
  label?: string
  /** How it stands, in other words than those for what is saved already. */
  words?: { clean: string; dirty: string }
  /** Whether it sends what was not touched too, as for what is made anew: what is missing is then said. */
  sendsUntouched?: boolean
}

/** Stays in sight at the bottom of a form that is longer than a screen, and says whether there is something to save. */
export function SaveBar({ form, label, words, sendsUntouched = false }: SaveBarProps) {
  const { t } = useTranslation('form')
  const { errors } = useFormState()
  const wrong = Object.keys(errors).length
  const begun = form.dirty || form.busy
  const open = begun || sendsUntouched
  const state = begun ? (words?.dirty ?? t('save.unsaved')) : (words?.clean ?? t('save.saved'))
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
