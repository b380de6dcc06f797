import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { closeAuthDialog } from '@/lib/auth-dialog'
import { useLanguage } from '@/lib/use-language'
import { requestResetMutation } from '../api/request-reset'
import { resetProblems } from '../model/credentials'
import { useCredentialForm } from '../model/use-credential-form'
import { EmailField, type SharedEmail } from './email-field'
import styles from './form.module.css'

export function ResetForm({ email, onEmailChange }: SharedEmail) {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const form = useCredentialForm({
    check: resetProblems,
    mutation: requestResetMutation(),
    onDone: closeAuthDialog,
  })
  return (
    <form
      ref={form.formRef}
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(() => ({ email: email.trim(), language }))}
    >
      <EmailField
        firstFocus
        email={email}
        onEmailChange={(next) => {
          form.forgive('email')
          onEmailChange(next)
        }}
        error={form.problems.email}
      />
      <Button type="submit" look="primary" size="large" wide busy={form.busy}>
        {t('reset.submit')}
      </Button>
    </form>
  )
}
