import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { CodeField } from '@/components/form/code-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { closeAuthDialog } from '@/lib/session/auth-dialog'
import { confirmAddressMutation } from '../api/confirm-address'
import { resendConfirmationMutation } from '../api/resend-confirmation'
import { CODE } from '../model/credentials'
import { blaming } from '../model/refusal'
import styles from './confirm-notice.module.css'

/**
 * Completes a sign-up: by the link of the email, or by its code typed here, wherever the email is
 * read.
 */
export function ConfirmNotice({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  const { mutateAsync } = useMutation(confirmAddressMutation())
  const resend = useMutation(resendConfirmationMutation())
  const form = useForm({
    schema: CODE,
    defaults: { code: '' },
    submit: ({ code }) => mutateAsync({ email, code }),
    onDone: closeAuthDialog,
    oneTry: 'code',
    refusals: blaming('code'),
  })
  return (
    <div className={styles.notice}>
      <span className={styles.mark}>
        <Icon name="mail" size={32} />
      </span>
      <p>{t('confirm.text', { email })}</p>
      <Form form={form} className={styles.form}>
        <CodeField firstFocus name="code" label={t('confirm.code')} help={t('confirm.codeHelp')} />
        <Submit size="large" wide>
          {t('confirm.submit')}
        </Submit>
      </Form>
      <Button variant="quiet" busy={resend.isPending} onClick={() => resend.mutate(email)}>
        {t('confirm.resend')}
      </Button>
    </div>
  )
}
