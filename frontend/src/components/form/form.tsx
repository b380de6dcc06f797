import { Suspense, useId, useState, type ReactNode } from 'react'
import { FormProvider, type FieldValues } from 'react-hook-form'
import { classes } from '@/components/ui/classes'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { DraftNotice } from './draft-notice'
import { ErrorSummary } from './error-summary'
import { FormContext } from './form-context'
import { useWindowQuestion, type LeaveState } from './dirty-guard'
import type { FormHandle } from './use-form'
import styles from './form.module.css'

/** Loaded lazily, because most forms are left without a question. */
const ConfirmDialog = lazyComponent(async () => (await import('@/components/ui/confirm-button')).ConfirmDialog)

interface FormProps<Input extends FieldValues, Output> {
  form: FormHandle<Input, Output>
  /** The accessible name of the form; a form under a heading of its own needs none. */
  label?: string
  /**
   * Lists the problems at the top, with links to the fields: for forms longer than a screen.
   * `beside` leaves the focus to the first invalid field.
   */
  summary?: boolean | 'beside'
  className?: string | undefined
  children: ReactNode
}

/** The form element; its fields find the form through a context. */
export function Form<Input extends FieldValues, Output>({
  form,
  label,
  summary = false,
  className,
  children,
}: FormProps<Input, Output>) {
  const id = useId()
  useWindowQuestion(form.leave)
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
          {summary && <ErrorSummary focused={summary !== 'beside'} />}
          {form.draft.restored && <DraftNotice onDiscard={form.discard} />}
          {children}
        </form>
        <LeaveQuestion leave={form.leave} />
      </FormContext>
    </FormProvider>
  )
}

/** Stays mounted after the first question, so that the dialog can animate its closing. */
function LeaveQuestion({ leave }: { leave: LeaveState }) {
  const { t } = useTranslation('form')
  const [wasAsked, setWasAsked] = useState(false)
  if (leave.asking && !wasAsked) setWasAsked(true)
  if (!wasAsked) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        open={leave.asking}
        onOpenChange={(open) => !open && leave.stay()}
        title={t('leave.title')}
        text={t('leave.text')}
        confirm={t('leave.submit')}
        onConfirm={leave.leave}
      />
    </Suspense>
  )
}
