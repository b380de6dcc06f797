/**
 * Signing in: email address and password, then the second factor if the account has one; or a
 * passkey alone.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '@/api/client'
import type { CeremonyChallenge } from '@/api/passkeys'
import { sessionQuery, signIn, type Session } from '@/api/session'
import { destinationOf } from './destination'
import { LoginFrame } from './frame'
import { PasswordStep, type Account } from './password-step'
import { SecondStep, type RequiredFactor } from './second-step'

/** The factor that the refusal of a password alone requires. */
function factorOf(error: Error): RequiredFactor | null {
  if (!(error instanceof ApiError)) return null
  const hasApp = error.code === 'code_required'
  if (!hasApp && error.code !== 'passkey_required') return null
  return { hasApp, passkey: (error.details.passkey as CeremonyChallenge | undefined) ?? null }
}

export function Screen() {
  const { t } = useTranslation('login')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [parameters] = useSearchParams()
  const [account, setAccount] = useState<Account>({ email: '', password: '' })
  const [factor, setFactor] = useState<RequiredFactor | null>(null)
  const openConsole = (session: Session): void => {
    client.setQueryData(sessionQuery.queryKey, session)
    void navigate(destinationOf(parameters.get('next')), { replace: true })
  }
  const login = useMutation({
    meta: { isQuiet: true },
    mutationFn: signIn,
    onSuccess: openConsole,
    onError: (error, { email, password }) => {
      setAccount({ email, password })
      setFactor((before) => factorOf(error) ?? before)
    },
  })
  useEffect(() => {
    document.title = t('title')
  }, [t])
  const refusal = login.error && !factorOf(login.error) ? login.error : null
  const text = !factor ? t('text') : factor.hasApp ? t('code.text') : t('passkey.text')
  return (
    <LoginFrame title={factor ? t('code.title') : t('title')} text={text}>
      {factor ? (
        <SecondStep
          factor={factor}
          refusal={refusal}
          isPending={login.isPending}
          onShow={(proof) => login.mutate({ ...account, ...proof })}
          onBack={() => {
            setFactor(null)
            login.reset()
          }}
        />
      ) : (
        <PasswordStep refusal={refusal} isPending={login.isPending} onSubmit={login.mutate} onEntered={openConsole} />
      )}
    </LoginFrame>
  )
}
