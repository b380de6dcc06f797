/** Adds and removes second factors. */
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface TotpSetup {
  factorId: string
  /** An SVG image as a data URL. */
  qrCode: string
  secret: string
}

/** Begins to enroll an authenticator app; removes earlier unverified factors. */
async function beginTotp(friendlyName: string): Promise<TotpSetup> {
  await forgetUnfinished()
  const issuer = window.location.host
  const { id, totp } = unwrap(await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer }))
  return { factorId: id, qrCode: totp.qr_code, secret: totp.secret }
}

/** Runs once each time the dialog opens; the service deletes unverified factors. */
export const totpSetupQuery = (friendlyName: string) =>
  queryOptions({
    queryKey: accountKeys.totpSetup,
    queryFn: () => beginTotp(friendlyName),
    gcTime: 0,
    staleTime: STALE_TIME.never,
    retry: false,
    refetchOnMount: false,
  })

export interface PhoneSetup {
  factorId: string
  challengeId: string
}

/** Begins to enroll a phone and sends the first code. */
async function beginPhone({ phone, friendlyName }: { phone: string; friendlyName: string }): Promise<PhoneSetup> {
  await forgetUnfinished()
  const factor = unwrap(await supabase.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName }))
  const challenge = unwrap(await supabase.auth.mfa.challenge({ factorId: factor.id, channel: 'sms' }))
  return { factorId: factor.id, challengeId: challenge.id }
}

export const beginPhoneMutation = () => mutationOptions({ mutationFn: beginPhone })

const ADDED = { title: 'account:factors.added', text: 'account:factors.addedText' } as const

/** Creates a security key for this account in the browser; it is verified at once. */
async function addKey(friendlyName: string): Promise<void> {
  await forgetUnfinished()
  const { error } = await supabase.auth.mfa.webauthn.register({ friendlyName })
  if (error !== null) throw toApiError(error)
}

export const addKeyMutation = () =>
  mutationOptions({
    mutationFn: addKey,
    meta: {
      invalidates: [accountKeys.user],
      waits: true,
      done: ADDED,
      failed: 'account:factors.notAdded',
      refusals: ACCOUNT_REFUSALS,
    },
  })

/**
 * Verifies a factor with its first code. From then on the session has the higher assurance level.
 */
async function completeFactor(proof: { factorId: string; code: string; challengeId: string | null }): Promise<void> {
  const { factorId, code, challengeId } = proof
  const { error } =
    challengeId === null
      ? await supabase.auth.mfa.challengeAndVerify({ factorId, code })
      : await supabase.auth.mfa.verify({ factorId, challengeId, code })
  if (error !== null) throw toApiError(error)
}

/** The form shows a refusal beside the code. */
export const completeFactorMutation = () =>
  mutationOptions({
    mutationFn: completeFactor,
    meta: { invalidates: [accountKeys.user], done: ADDED },
  })

/** The session is refreshed, so that its token no longer claims the factor. */
async function removeFactor(factorId: string): Promise<void> {
  const { error } = await supabase.auth.mfa.unenroll({ factorId })
  if (error !== null) throw toApiError(error)
  await supabase.auth.refreshSession()
}

export const removeFactorMutation = () =>
  mutationOptions({
    mutationFn: removeFactor,
    meta: {
      invalidates: [accountKeys.user],
      waits: true,
      done: { title: 'account:factors.removed', text: 'account:factors.removedText' },
      failed: 'account:factors.notRemoved',
      refusals: ACCOUNT_REFUSALS,
    },
  })

async function forgetUnfinished(): Promise<void> {
  const { all } = unwrap(await supabase.auth.mfa.listFactors())
  const unfinished = all.filter((factor) => factor.status === 'unverified')
  await Promise.all(unfinished.map((factor) => supabase.auth.mfa.unenroll({ factorId: factor.id })))
}
