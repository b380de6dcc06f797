/** The second factor of a sign-in: which there are, asking for a code by text message, showing one. */
import type { Factor } from '@supabase/supabase-js'
import { queryOptions } from '@tanstack/react-query'
import { toApiError, unwrap } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

export interface SecondFactor {
  id: string
  kind: 'totp' | 'phone' | 'key'
  name: string | null
}

async function fetchFactors(): Promise<SecondFactor[]> {
  const { totp, phone, webauthn } = unwrap(await supabase.auth.mfa.listFactors())
  const shown = (kind: SecondFactor['kind']) => (factor: Factor) => ({
    id: factor.id,
    kind,
    name: factor.friendly_name ?? null,
  })
  return [...totp.map(shown('totp')), ...phone.map(shown('phone')), ...webauthn.map(shown('key'))]
}

/** Kept for this opening of the dialog only: the next person at this browser has others. */
export const secondFactorsQuery = () =>
  queryOptions({ queryKey: ['second-factors'], queryFn: fetchFactors, gcTime: 0, staleTime: Number.POSITIVE_INFINITY })

/** Has a code sent to the factor's phone; the answer names what to show the code against. */
export async function textCode(factorId: string): Promise<string> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: 'sms' })
  if (error !== null) throw toApiError(error)
  return data.id
}

/** Shows a code. An app's needs no challenge beforehand. */
export async function showCode(shown: { factorId: string; code: string; challengeId: string | null }): Promise<void> {
  const { factorId, code, challengeId } = shown
  const { error } =
    challengeId === null
      ? await supabase.auth.mfa.challengeAndVerify({ factorId, code })
      : await supabase.auth.mfa.verify({ factorId, challengeId, code })
  if (error !== null) throw toApiError(error)
}

/** Has the browser ask for a security key. */
export async function showKey(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.webauthn.authenticate({ factorId })
  if (error !== null) throw toApiError(error)
}
