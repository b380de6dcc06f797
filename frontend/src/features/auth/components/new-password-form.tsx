import { useTranslation } from '@/lib/i18n'
import { PasswordField } from '@/components/ui/password-field'
import { Button } from '@/components/ui/button'
import { choosePasswordMutation } from '../api/choose-password'
import { newPasswordProblems } from '../model/credentials'
import { useCredentialForm } from '../model/use-credential-form'
import styles from './form.module.css'

/** A new password, typed twice. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('auth')
  const form = useCredentialForm({
    check: newPasswordProblems,
    mutation: choosePasswordMutation(),
    onDone,
  })
  const read = (data: FormData) => ({
    password: String(data.get('password')),
    confirmation: String(data.get('confirmation')),
  })
  const shared = { purpose: 'new', required: true } as const
  return (
    <form ref={form.formRef} className={styles.form} noValidate onSubmit={form.onSubmit(read)}>
      <PasswordField
        {...shared}
        name="password"
        label={t('field.newPassword')}
        help={t('field.passwordHelp')}
        error={form.problems.password}
        onChange={() => form.forgive('password')}
      />
      <PasswordField
        {...shared}
        name="confirmation"
        label={t('field.confirmation')}
        error={form.problems.confirmation}
        onChange={() => form.forgive('confirmation')}
      />
      <Button type="submit" look="primary" size="large" wide busy={form.busy}>
        {t('newPassword.submit')}
      </Button>
    </form>
  )
}
