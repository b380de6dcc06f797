import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { CodeField } from '@/components/form/code-field'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { closeAuthDialog } from '@/lib/session/auth-dialog'
import {
  secondFactorsQuery,
  showCodeMutation,
  showKeyMutation,
  textCodeMutation,
  type SecondFactor,
} from '../api/second-step'
import { CODE } from '../model/credentials'
import { blaming } from '../model/refusal'
import { useRefusal } from '@/lib/i18n/refusal'
import styles from './form.module.css'

/** The second step of a sign-in: a code from an app or a phone, or a security key. */
export function SecondStep({ onGiveUp }: { onGiveUp: () => void }) {
  const { t } = useTranslation('auth')
  const factors = useQuery(secondFactorsQuery())
  return (
    <div className={styles.form}>
      <QueryStates
        query={factors}
        loading={<StepLoading />}
        failed={t('secondStep.unreadable')}
        empty={<p role="alert">{t('secondStep.none')}</p>}
      >
        {(known) => <FactorChoice factors={known} />}
      </QueryStates>
      <button type="button" className={styles.aside} onClick={onGiveUp}>
        {t('secondStep.giveUp')}
      </button>
    </div>
  )
}

function StepLoading() {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.form} aria-busy="true" aria-label={t('secondStep.loading')}>
      <Skeleton height="2.75rem" />
      <Skeleton height="3rem" />
    </div>
  )
}

/** The form of one factor, the app first, with buttons for the other factors. */
function FactorChoice({ factors }: { factors: readonly SecondFactor[] }) {
  const { t } = useTranslation('auth')
  const [chosen, setChosen] = useState<string | null>(null)
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0]
  return (
    <>
      {factor?.kind === 'key' && <KeyForm key={factor.id} factorId={factor.id} />}
      {factor && factor.kind !== 'key' && <CodeForm key={factor.id} factor={factor} />}
      {factors
        .filter(({ id }) => id !== factor?.id)
        .map((other) => (
          <button key={other.id} type="button" className={styles.aside} onClick={() => setChosen(other.id)}>
            {t('secondStep.use', { name: other.name || t(`secondStep.kind.${other.kind}`) })}
          </button>
        ))}
    </>
  )
}

function KeyForm({ factorId }: { factorId: string }) {
  const { t } = useTranslation('auth')
  const words = useRefusal()
  const show = useMutation(showKeyMutation())
  return (
    <div className={styles.form}>
      <p>{t('secondStep.keyIntro')}</p>
      <div role="alert">{show.error && <p className={styles.refused}>{words(show.error)}</p>}</div>
      <Button
        variant="primary"
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

/** An app shows its code by itself; a phone needs a code to be sent first. */
function CodeForm({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation('auth')
  const text = useMutation(textCodeMutation())
  const { mutateAsync } = useMutation(showCodeMutation())
  const form = useForm({
    schema: CODE,
    defaults: { code: '' },
    submit: ({ code }) => mutateAsync({ factorId: factor.id, code, challengeId: text.data ?? null }),
    onDone: closeAuthDialog,
    oneTry: 'code',
    refusals: blaming('code'),
  })
  if (factor.kind === 'phone' && text.data === undefined)
    return (
      <>
        <p>{t('secondStep.phoneIntro')}</p>
        <Button variant="primary" size="large" wide busy={text.isPending} onClick={() => text.mutate(factor.id)}>
          {t('secondStep.send')}
        </Button>
      </>
    )
  return (
    <Form form={form}>
      <CodeField
        firstFocus
        name="code"
        label={t('field.code')}
        help={t(factor.kind === 'phone' ? 'field.codePhoneHelp' : 'field.codeHelp')}
      />
      <Submit size="large" wide>
        {t('secondStep.submit')}
      </Submit>
      {factor.kind === 'phone' && (
        <button type="button" className={styles.aside} onClick={() => text.mutate(factor.id)}>
          {t('secondStep.sendAgain')}
        </button>
      )}
    </Form>
  )
}
