import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { CodeField } from '@/components/ui/code-field'
import { Button } from '@/components/ui/button'
import { RetryButton } from '@/components/ui/retry-button'
import { Skeleton } from '@/components/ui/skeleton'
import { closeAuthDialog } from '@/lib/auth-dialog'
import { toApiError } from '@/lib/errors'
import {
  secondFactorsQuery,
  showCodeMutation,
  showKeyMutation,
  textCodeMutation,
  type SecondFactor,
} from '../api/second-step'
import { refusalOf } from '../model/refusal'
import styles from './form.module.css'

/** What stands between a right password and the account: a code from an app or a phone, or a key. */
export function SecondStep({ onGiveUp }: { onGiveUp: () => void }) {
  const { t } = useTranslation('auth')
  const factors = useQuery(secondFactorsQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  const factor = factors.data?.find(({ id }) => id === chosen) ?? factors.data?.[0]
  const others = factors.data?.filter(({ id }) => id !== factor?.id) ?? []
  return (
    <div className={styles.form}>
      {factors.isPending && (
        <div className={styles.form} aria-busy="true" aria-label={t('secondStep.loading')}>
          <Skeleton height="2.75rem" />
          <Skeleton height="3rem" />
        </div>
      )}
      {factors.isError && (
        <div role="alert" className={styles.form}>
          <p>{t('secondStep.unreadable')}</p>
          <RetryButton onClick={() => void factors.refetch()} />
        </div>
      )}
      {factor?.kind === 'key' && <KeyForm key={factor.id} factorId={factor.id} />}
      {factor && factor.kind !== 'key' && <CodeForm key={factor.id} factor={factor} />}
      {factors.isSuccess && !factor && <p role="alert">{t('secondStep.none')}</p>}
      {others.map((other) => (
        <button key={other.id} type="button" className={styles.aside} onClick={() => setChosen(other.id)}>
          {t('secondStep.use', { name: other.name || t(`secondStep.kind.${other.kind}`) })}
        </button>
      ))}
      <button type="button" className={styles.aside} onClick={onGiveUp}>
        {t('secondStep.giveUp')}
      </button>
    </div>
  )
}

function KeyForm({ factorId }: { factorId: string }) {
  const { t } = useTranslation('auth')
  const show = useMutation(showKeyMutation())
  const error = show.error && toApiError(show.error)
  const refusal = error && refusalOf(error)
  return (
    <div className={styles.form}>
      <p>{t('secondStep.keyIntro')}</p>
      <div role="alert">{error && <p className={styles.refused}>{refusal ? t(refusal.key) : error.message}</p>}</div>
      <Button
        look="primary"
        size="large"
        wide
        icon="key"
        busy={show.isPending}
        onClick={() => show.mutate(factorId, { onSuccess: closeAuthDialog })}
      >
        {t('secondStep.showKey')}
      </Button>
    </div>
  )
}

function CodeForm({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation('auth')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const text = useMutation(textCodeMutation())
  const verify = useMutation(showCodeMutation())
  const waitsForText = factor.kind === 'phone' && text.data === undefined

  function refuse(cause: unknown): void {
    const error = toApiError(cause)
    const refusal = refusalOf(error)
    setProblem(refusal ? t(refusal.key) : error.message)
    setCode('')
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (waitsForText) return text.mutate(factor.id)
    if (code.length < 6) return setProblem(t('problem.codeRequired'))
    if (verify.isPending) return
    const shown = { factorId: factor.id, code, challengeId: text.data ?? null }
    verify.mutate(shown, { onSuccess: closeAuthDialog, onError: refuse })
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {waitsForText ? (
        <p>{t('secondStep.phoneIntro')}</p>
      ) : (
        <CodeField
          firstFocus
          label={t('field.code')}
          help={t(factor.kind === 'phone' ? 'field.codePhoneHelp' : 'field.codeHelp')}
          error={problem}
          value={code}
          onChange={(next) => {
            setProblem(undefined)
            setCode(next)
          }}
        />
      )}
      <Button type="submit" look="primary" size="large" wide busy={verify.isPending || text.isPending}>
        {t(waitsForText ? 'secondStep.send' : 'secondStep.submit')}
      </Button>
      {factor.kind === 'phone' && !waitsForText && (
        <button type="button" className={styles.aside} onClick={() => text.mutate(factor.id)}>
          {t('secondStep.sendAgain')}
        </button>
      )}
    </form>
  )
}
