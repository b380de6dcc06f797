import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { CodeField } from '@/components/ui/code-field'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { beginPhoneMutation, completeFactorMutation, type PhoneSetup } from '../api/factors'
import { freeName } from '../model/free-name'
import { readPhone } from '../model/phone'
import { useRefusal } from '../model/use-refusal'
import styles from './form.module.css'

/** Adds a phone: its number, then the code sent to it. */
export function PhoneSetupDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('account')
  const [setup, setSetup] = useState<PhoneSetup | null>(null)
  const name = freeName(t('factors.kind.phone'), taken)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('phone.title')} description={t('phone.intro')}>
      {setup === null ? (
        <NumberForm name={name} onBegun={setSetup} />
      ) : (
        <PhoneCodeForm setup={setup} onClose={onClose} />
      )}
    </Dialog>
  )
}

function NumberForm({ name, onBegun }: { name: string; onBegun: (setup: PhoneSetup) => void }) {
  const { t } = useTranslation('account')
  const refusal = useRefusal()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const begin = useMutation(beginPhoneMutation())

  function submit(event: FormEvent): void {
    event.preventDefault()
    const phone = readPhone(typed)
    if (phone === null) return setProblem(t('refusal.phoneInvalid'))
    if (begin.isPending) return
    const refuse = (cause: unknown): void => setProblem(refusal.words(cause))
    begin.mutate({ phone, friendlyName: name }, { onSuccess: onBegun, onError: refuse })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        label={t('phone.number')}
        help={t('phone.numberHelp')}
        error={problem}
        name="phone"
        type="tel"
        autoComplete="tel"
        required
        data-first-focus
        value={typed}
        onChange={(event) => {
          setProblem(undefined)
          setTyped(event.target.value)
        }}
      />
      <Button type="submit" look="primary" size="large" wide busy={begin.isPending}>
        {t('phone.send')}
      </Button>
    </form>
  )
}

function PhoneCodeForm({ setup, onClose }: { setup: PhoneSetup; onClose: () => void }) {
  const { t } = useTranslation('account')
  const refusal = useRefusal()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const verify = useMutation(completeFactorMutation())

  function refuse(cause: unknown): void {
    setProblem(refusal.words(cause))
    setCode('')
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.length < 6) return setProblem(t('problem.codeRequired'))
    if (!verify.isPending) verify.mutate({ ...setup, code }, { onSuccess: onClose, onError: refuse })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <CodeField
        firstFocus
        label={t('phone.code')}
        error={problem}
        value={code}
        onChange={(next) => {
          setProblem(undefined)
          setCode(next)
        }}
      />
      <Button type="submit" look="primary" size="large" wide busy={verify.isPending}>
        {t('totp.submit')}
      </Button>
    </form>
  )
}
