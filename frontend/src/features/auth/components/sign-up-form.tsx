import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n'
import { PasswordField } from '@/components/ui/password-field'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { authSettingsQuery } from '@/lib/account/auth-settings'
import { closeAuthDialog } from '@/lib/auth-dialog'
import { useLanguage } from '@/lib/use-language'
import { signUpMutation } from '../api/sign-up'
import { signUpProblems } from '../model/credentials'
import { useCredentialForm } from '../model/use-credential-form'
import { EmailField, type SharedEmail } from './email-field'
import styles from './form.module.css'
import { ProviderButtons } from './provider-buttons'

export function SignUpForm({ email, onEmailChange, onConfirm }: SharedEmail & { onConfirm: (email: string) => void }) {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const settings = useQuery(authSettingsQuery())
  const form = useCredentialForm({
    check: signUpProblems,
    mutation: signUpMutation(),
    onDone: (next, fields) => (next === 'signedIn' ? closeAuthDialog() : onConfirm(fields.email)),
  })
  if (settings.data?.signUpOpen === false) return <p className={styles.closed}>{t('signUp.closed')}</p>
  const read = (data: FormData) => ({
    username: String(data.get('username')).trim(),
    email: email.trim(),
    password: String(data.get('password')),
    language,
  })
  return (
    <form ref={form.formRef} className={styles.form} noValidate onSubmit={form.onSubmit(read)}>
      <TextField
        label={t('field.username')}
        name="username"
        autoComplete="username"
        spellCheck={false}
        required
        data-first-focus
        help={t('field.usernameHelp')}
        error={form.problems.username}
        onChange={() => form.forgive('username')}
      />
      <EmailField
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
        purpose="new"
        help={t('field.passwordHelp')}
        error={form.problems.password}
        onChange={() => form.forgive('password')}
      />
      <Button type="submit" look="primary" size="large" wide busy={form.busy}>
        {t('signUp.submit')}
      </Button>
      <ProviderButtons purpose="signUp" />
    </form>
  )
}
