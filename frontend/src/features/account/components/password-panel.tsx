import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { CodeField } from '@/components/ui/code-field'
import { Panel } from '@/components/ui/panel'
import { PasswordField } from '@/components/ui/password-field'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { toApiError } from '@/lib/errors'
import { changePasswordMutation, requestCodeMutation } from '../api/change-password'
import { passwordProblems, type PasswordProblems } from '../model/password'
import { useRefusal } from '../model/use-refusal'
import styles from './form.module.css'

/** What the service may ask for besides the new password. */
type Demand = 'code' | 'current'

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
  const refusal = useRefusal()
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<PasswordProblems>({})
  const [demand, setDemand] = useState<Demand | null>(null)
  const [code, setCode] = useState('')

  const askForCode = useMutation(requestCodeMutation())
  const change = useMutation(changePasswordMutation())

  const sendCode = (): void => askForCode.mutate(undefined, { onSuccess: () => setDemand('code') })

  function finish(): void {
    form.current?.reset()
    setDemand(null)
    setCode('')
  }

  function react(cause: unknown): void {
    const error = toApiError(cause)
    if (error.code === 'reauthentication_needed') return sendCode()
    if (error.code === 'current_password_required' && demand !== 'current') return setDemand('current')
    const words = refusal.words(error)
    if (error.code === 'reauthentication_not_valid') setProblems({ code: words })
    else if (error.code.startsWith('current_password')) setProblems({ current: words })
    else if (error.code === 'weak_password' || error.code === 'same_password') setProblems({ password: words })
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (change.isPending || askForCode.isPending) return
    const data = new FormData(event.currentTarget)
    const text = (name: string): string => String(data.get(name) ?? '')
    const found = passwordProblems({ password: text('password'), confirmation: text('confirmation') })
    const said = Object.fromEntries(Object.entries(found).map(([field, problem]) => [field, t(`problem.${problem}`)]))
    setProblems(said)
    if (Object.keys(said).length > 0) return focusOn(event.currentTarget, Object.keys(said)[0])
    const wanted = {
      password: text('password'),
      nonce: demand === 'code' ? code : null,
      currentPassword: demand === 'current' ? text('current') : null,
    }
    change.mutate(wanted, { onSuccess: finish, onError: react })
  }

  const forgive = (field: keyof PasswordProblems) => () =>
    problems[field] === undefined ? undefined : setProblems(({ [field]: _, ...rest }) => rest)
  const shared = { required: true } as const
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      {demand === 'current' && (
        <PasswordField
          {...shared}
          purpose="current"
          name="current"
          label={t('password.current')}
          error={problems.current}
          onChange={forgive('current')}
        />
      )}
      <PasswordField
        {...shared}
        purpose="new"
        name="password"
        label={t('password.new')}
        help={t('password.help')}
        error={problems.password}
        onChange={forgive('password')}
      />
      <PasswordField
        {...shared}
        purpose="new"
        name="confirmation"
        label={t('password.confirmation')}
        error={problems.confirmation}
        onChange={forgive('confirmation')}
      />
      {demand === 'code' && (
        <>
          <p className={styles.note} role="status">
            <Icon name="mail" size={18} />
            {t('password.codeSent', { email })}
          </p>
          <CodeField
            firstFocus
            label={t('password.code')}
            value={code}
            error={problems.code}
            onChange={(next) => {
              forgive('code')()
              setCode(next)
            }}
          />
        </>
      )}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={change.isPending || askForCode.isPending}>
          {t('password.submit')}
        </Button>
        {demand === 'code' && (
          <Button look="quiet" onClick={sendCode}>
            {t('password.codeAgain')}
          </Button>
        )}
      </div>
    </form>
  )
}

function focusOn(form: HTMLFormElement, field: string | undefined): void {
  form.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus()
}
