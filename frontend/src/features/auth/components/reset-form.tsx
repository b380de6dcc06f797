import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { EmailField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { closeAuthDialog } from '@/lib/session/auth-dialog'
import { useLanguage } from '@/lib/i18n/use-language'
import { requestResetMutation } from '../api/request-reset'
import { RESET } from '../model/credentials'
import { blaming } from '../model/refusal'
import type { SharedEmail } from './sign-in-form'

export function ResetForm({ email, onEmailChange }: SharedEmail) {
  const { t } = useTranslation('auth')
  const language = useLanguage()
  const { mutateAsync } = useMutation(requestResetMutation())
  const form = useForm({
    schema: RESET,
    defaults: { email },
    submit: (fields) => mutateAsync({ ...fields, language }),
    onDone: closeAuthDialog,
    refusals: blaming('email'),
  })
  return (
    <Form form={form}>
      <EmailField firstFocus name="email" label={t('field.email')} onTyped={onEmailChange} />
      <Submit size="large" wide>
        {t('reset.submit')}
      </Submit>
    </Form>
  )
}
