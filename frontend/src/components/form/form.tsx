import { useId, type ReactNode } from 'react'
import { FormProvider, type FieldValues } from 'react-hook-form'
import { classes } from '@/components/ui/classes'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { useTranslation } from '@/lib/i18n'
import { DraftNotice } from './draft-notice'
import { ErrorSummary } from './error-summary'
import { FormContext } from './form-context'
import type { FormHandle } from './use-form'
import styles from './form.module.css'

interface FormProps<Input extends FieldValues, Output> {
  form: FormHandle<Input, Output>
  /** What screen readers call it; forms under a heading of their own need none. */
  label?: string
  /** Lists what is wrong at the top, with links to the fields: for forms longer than a screen. */
  summary?: boolean
  className?: string | undefined
  children: ReactNode
}

/** The form itself; its fields find it by themselves. */
export function Form<Input extends FieldValues, Output>({
  form,
  label,
  summary = false,
  className,
  children,
}: FormProps<Input, Output>) {
  const { t } = useTranslation('form')
  const id = useId()
  return (
    <FormProvider {...form.fields}>
      <FormContext value={form.parts}>
        <form
          id={id}
          className={classes(styles.form, className)}
          noValidate
          aria-label={label}
          aria-busy={form.busy || undefined}
          onSubmit={(event) => void form.send(event)}
        >
          {summary && <ErrorSummary />}
          {form.draft.restored && <DraftNotice onDiscard={form.discard} />}
          {children}
        </form>
        <ConfirmDialog
          open={form.leave.asking}
          onOpenChange={(open) => !open && form.leave.stay()}
          title={t('leave.title')}
          text={t('leave.text')}
          confirm={t('leave.submit')}
          onConfirm={form.leave.leave}
        />
      </FormContext>
    </FormProvider>
  )
}
