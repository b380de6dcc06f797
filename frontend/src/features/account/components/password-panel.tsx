import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CodeField } from '@/components/form/code-field'
import { Form } from '@/components/form/form'
import { PasswordField } from '@/components/form/password-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { Panel } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { changePasswordMutation, requestCodeMutation } from '../api/change-password'
import { passwordChange, type RequiredProof } from '../model/password'
import { useRefusal } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import styles from './form.module.css'

export function PasswordPanel({ email }: { email: string }) {
  const { t } = useTranslation('account')
  return (
    <Panel title={t('password.title')} intro={t('password.intro')}>
      <PasswordForm email={email} />
    </Panel>
  )
}

function PasswordForm({ email }: { email: string }) {
  const { t } = useTranslation('account')
  const words = useRefusal(ACCOUNT_REFUSALS)
  const [demand, setDemand] = useState<RequiredProof | null>(null)
  const schema = useMemo(() => passwordChange(demand), [demand])
  const askForCode = useMutation(requestCodeMutation())
  const sendCode = (): void => askForCode.mutate(undefined, { onSuccess: () => setDemand('code') })
  const { mutateAsync } = useMutation(changePasswordMutation())
  const form = useForm({
    schema,
    defaults: { current: '', password: '', confirmation: '', code: '' },
    submit: ({ password, code, current }) =>
      mutateAsync({
        password,
        nonce: demand === 'code' ? code : null,
        currentPassword: demand === 'current' ? current : null,
      }),
    onDone: () => setDemand(null),
    after: 'clear',
    onRefused: (error) => {
      if (error.code === 'reauthentication_needed') sendCode()
      else if (error.code === 'current_password_required' && demand !== 'current') setDemand('current')
      else return false
      return true
    },
    refusals: {
      reauthentication_not_valid: 'code',
      current_password_required: 'current',
      current_password_invalid: 'current',
      weak_password: 'password',
      same_password: 'password',
    },
    words,
  })
  return (
    <Form form={form} className={styles.form}>
      {/* Tells password managers to which account the password belongs. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {demand === 'current' && (
        <PasswordField firstFocus name="current" purpose="current" label={t('password.current')} />
      )}
      <PasswordField name="password" purpose="new" label={t('password.new')} help={t('password.help')} />
      <PasswordField name="confirmation" purpose="new" label={t('password.confirmation')} />
      {demand === 'code' && (
        <>
          <p className={styles.note} role="status">
            <Icon name="mail" size={18} />
            {t('password.codeSent', { email })}
          </p>
          <CodeField firstFocus name="code" label={t('password.code')} />
        </>
      )}
      <Submit
        busy={askForCode.isPending}
        aside={
          demand === 'code' && (
            <Button variant="quiet" onClick={sendCode}>
              {t('password.codeAgain')}
            </Button>
          )
        }
      >
        {t('password.submit')}
      </Submit>
    </Form>
  )
}
