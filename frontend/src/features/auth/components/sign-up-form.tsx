import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { Form } from '@/components/form/form'
import { PasswordField } from '@/components/form/password-field'
import { Submit } from '@/components/form/submit'
import { EmailField, TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { authSettingsQuery } from '@/entities/account/auth-settings'
import { closeAuthDialog } from '@/lib/session/auth-dialog'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { registrationQuery } from '../api/registration'
import { signUpMutation } from '../api/sign-up'
import { SIGN_UP } from '../model/credentials'
import { blaming } from '../model/refusal'
import styles from './form.module.css'
import { ProviderButtons } from './provider-buttons'
import type { SharedEmail } from './sign-in-form'

interface SignUpFormProps extends SharedEmail {
  /** The username that was typed before another tab was opened. */
  username: string
  onUsernameChange: (username: string) => void
  onConfirm: (email: string) => void
}

export function SignUpForm({ email, onEmailChange, username, onUsernameChange, onConfirm }: SignUpFormProps) {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const settings = useQuery(authSettingsQuery())
  const registration = useQuery(registrationQuery())
  const { mutateAsync } = useMutation(signUpMutation())
  const form = useForm({
    schema: SIGN_UP,
    defaults: { username, email, password: '' },
    submit: (fields) => mutateAsync({ ...fields, language }),
    onDone: (next, fields) => (next === 'signedIn' ? closeAuthDialog() : onConfirm(fields.email)),
    refusals: blaming('email', 'username', 'password'),
  })
  const isClosed = settings.data?.signUpOpen === false || registration.data === false
  if (isClosed) return <p className={styles.closed}>{t('signUp.closed')}</p>
  return (
    <Form form={form}>
      <TextField
        firstFocus
        name="username"
        label={t('field.username')}
        help={t('field.usernameHelp')}
        autoComplete="username"
        spellCheck={false}
        onTyped={onUsernameChange}
      />
      <EmailField name="email" label={t('field.email')} onTyped={onEmailChange} />
      <PasswordField name="password" purpose="new" label={t('field.password')} help={t('field.passwordHelp')} />
      <p className={styles.legal}>
        {t('signUp.legal')}{' '}
        <Link to={paths.terms(language)} target="_blank">
          {t('signUp.terms')}
        </Link>{' '}
        ·{' '}
        <Link to={paths.privacy(language)} target="_blank">
          {t('signUp.privacy')}
        </Link>
      </p>
      <Submit size="large" wide>
        {t('signUp.submit')}
      </Submit>
      <ProviderButtons purpose="signUp" />
    </Form>
  )
}
