import { useTranslation } from '@/lib/i18n'
import { PasswordField } from '@/components/ui/password-field'
import { Button } from '@/components/ui/button'
import { closeAuthDialog, openAuthDialog } from '@/lib/auth-dialog'
import { signInMutation } from '../api/sign-in'
import { signInProblems } from '../model/credentials'
import { useCredentialForm } from '../model/use-credential-form'
import { EmailField, type SharedEmail } from './email-field'
import styles from './form.module.css'
import { ProviderButtons } from './provider-buttons'

export function SignInForm({ email, onEmailChange, onConfirm }: SharedEmail & { onConfirm: (email: string) => void }) {
  const { t } = useTranslation('auth')
  const form = useCredentialForm({
    check: signInProblems,
    mutation: signInMutation(),
    onDone: (next) => (next === 'done' ? closeAuthDialog() : openAuthDialog('secondStep')),
    onRefused: (error, fields) => {
      if (error.code === 'email_not_confirmed') onConfirm(fields.email)
    },
  })
  const read = (data: FormData) => ({ email: email.trim(), password: String(data.get('password')) })
  return (
    <form ref={form.formRef} className={styles.form} noValidate onSubmit={form.onSubmit(read)}>
      <EmailField
        firstFocus
        email={email}
        onEmailChange={(next) => {
          form.forgive('email')
          onEmailChange(next)
        }}
        error={form.problems.email}
      />
      <PasswordField
        label={t('field.password')}
        name="password"
        required
        purpose="current"
        error={form.problems.password}
        onChange={() => form.forgive('password')}
      />
      <Button type="submit" look="primary" size="large" wide busy={form.busy}>
        {t('signIn.submit')}
      </Button>
      <button type="button" className={styles.aside} onClick={() => openAuthDialog('reset')}>
        {t('signIn.forgotten')}
      </button>
      <ProviderButtons purpose="signIn" />
    </form>
  )
}
