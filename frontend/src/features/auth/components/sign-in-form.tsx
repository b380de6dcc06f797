import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Form } from '@/components/form/form'
import { PasswordField } from '@/components/form/password-field'
import { Submit } from '@/components/form/submit'
import { EmailField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { closeAuthDialog, openAuthDialog } from '@/lib/session/auth-dialog'
import { signInMutation } from '../api/sign-in'
import { SIGN_IN } from '../model/credentials'
import { blaming } from '../model/refusal'
import styles from './form.module.css'
import { ProviderButtons } from './provider-buttons'

/** The email address that the tabs share, so that it need not be typed again. */
export interface SharedEmail {
  email: string
  onEmailChange: (email: string) => void
}

export function SignInForm({ email, onEmailChange, onConfirm }: SharedEmail & { onConfirm: (email: string) => void }) {
  const { t } = useTranslation('auth')
  const form = useForm({
    schema: SIGN_IN,
    defaults: { email, password: '' },
    submit: useMutation(signInMutation()).mutateAsync,
    onDone: (next) => (next === 'done' ? closeAuthDialog() : openAuthDialog('secondStep')),
    onRefused: (error, fields) => {
      if (error.code === 'email_not_confirmed') onConfirm(fields.email)
    },
    refusals: blaming('email', 'password'),
  })
  return (
    <Form form={form}>
      <EmailField firstFocus name="email" label={t('field.email')} onTyped={onEmailChange} />
      <PasswordField name="password" purpose="current" label={t('field.password')} />
      <Submit size="large" wide>
        {t('signIn.submit')}
      </Submit>
      <button type="button" className={styles.aside} onClick={() => openAuthDialog('reset')}>
        {t('signIn.forgotten')}
      </button>
      <ProviderButtons purpose="signIn" />
    </Form>
  )
}
