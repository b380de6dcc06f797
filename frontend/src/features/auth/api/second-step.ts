/**
 * The second factor of a sign-in: lists the factors, sends a code by text message, verifies a code.
 */
import type { Factor } from '@supabase/supabase-js'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface SecondFactor {
  id: string
  kind: 'totp' | 'phone' | 'key'
  name: string | null
}

async function fetchFactors(): Promise<SecondFactor[]> {
  const { totp, phone, webauthn } = unwrap(await supabase.auth.mfa.listFactors())
  const optionOf = (kind: SecondFactor['kind']) => (factor: Factor) => ({
    id: factor.id,
    kind,
    name: factor.friendly_name ?? null,
  })
  return [...totp.map(optionOf('totp')), ...phone.map(optionOf('phone')), ...webauthn.map(optionOf('key'))]
}

/** Cached only while the dialog is open: the next person at this browser has other factors. */
export const secondFactorsQuery = () =>
  queryOptions({
    queryKey: accountKeys.factors,
    queryFn: fetchFactors,
    gcTime: 0,
    staleTime: STALE_TIME.never,
  })

/** Sends a code to the factor's phone; returns the id of the challenge. */
async function textCode(factorId: string): Promise<string> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: 'sms' })
  if (error !== null) throw toApiError(error)
  return data.id
}

export const textCodeMutation = () =>
  mutationOptions({ mutationFn: textCode, meta: { failed: 'auth:secondStep.notSent' } })

/** Verifies a code. An authenticator app needs no challenge beforehand. */
async function showCode(proof: { factorId: string; code: string; challengeId: string | null }): Promise<void> {
  const { factorId, code, challengeId } = proof
  const { error } =
    challengeId === null
      ? await supabase.auth.mfa.challengeAndVerify({ factorId, code })
      : await supabase.auth.mfa.verify({ factorId, challengeId, code })
  if (error !== null) throw toApiError(error)
}

/** The form shows a refusal beside the code. */
export const showCodeMutation = () => mutationOptions({ mutationFn: showCode })

/** Has the browser ask for a security key. */
async function showKey(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.webauthn.authenticate({ factorId })
  if (error !== null) throw toApiError(error)
}

export const showKeyMutation = () => mutationOptions({ mutationFn: showKey })
