import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Form } from '@/components/form/form'
import { PasswordField } from '@/components/form/password-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { CHOSEN_PASSWORD } from '@/entities/account/credentials'
import { choosePasswordMutation } from '../api/choose-password'
import { blaming } from '../model/refusal'

/** A new password, typed twice. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('auth')
  const form = useForm({
    schema: CHOSEN_PASSWORD,
    defaults: { password: '', confirmation: '' },
    submit: useMutation(choosePasswordMutation()).mutateAsync,
    onDone,
    refusals: blaming('password'),
  })
  return (
    <Form form={form}>
      <PasswordField name="password" purpose="new" label={t('field.newPassword')} help={t('field.passwordHelp')} />
      <PasswordField name="confirmation" purpose="new" label={t('field.confirmation')} />
      <Submit size="large" wide>
        {t('newPassword.submit')}
      </Submit>
    </Form>
  )
}
