/** Setting up and taking away second factors. */
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { accountKeys } from '@/entities/account/keys'
import { toApiError, unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { STALE_TIME } from '@/lib/query/stale-times'

export interface TotpSetup {
  factorId: string
  /** An SVG picture as a data address. */
  qrCode: string
  secret: string
}

/** Begins an app factor; whatever was begun before and never finished makes room. */
async function beginTotp(friendlyName: string): Promise<TotpSetup> {
  await forgetUnfinished()
  const issuer = window.location.host
  const { id, totp } = unwrap(await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer }))
  return { factorId: id, qrCode: totp.qr_code, secret: totp.secret }
}

/** Begun once per opening; the service forgets what is never finished. */
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

/** Begins a phone factor and has the first code sent. */
async function beginPhone({ phone, friendlyName }: { phone: string; friendlyName: string }): Promise<PhoneSetup> {
  await forgetUnfinished()
  const factor = unwrap(await supabase.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName }))
  const challenge = unwrap(await supabase.auth.mfa.challenge({ factorId: factor.id, channel: 'sms' }))
  return { factorId: factor.id, challengeId: challenge.id }
}

export const beginPhoneMutation = () => mutationOptions({ mutationFn: beginPhone })

const ADDED = { title: 'account:factors.added', text: 'account:factors.addedText' } as const

/** Has the browser make a key of its own for this account; it is complete at once. */
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

/** Completes a factor with its first code. From here on this session counts as fully proven. */
async function completeFactor(shown: { factorId: string; code: string; challengeId: string | null }): Promise<void> {
  const { factorId, code, challengeId } = shown
  const { error } =
    challengeId === null
      ? await supabase.auth.mfa.challengeAndVerify({ factorId, code })
      : await supabase.auth.mfa.verify({ factorId, challengeId, code })
  if (error !== null) throw toApiError(error)
}

/** What is refused is said beside the code. */
export const completeFactorMutation = () =>
  mutationOptions({
    mutationFn: completeFactor,
    meta: { invalidates: [accountKeys.user], done: ADDED },
  })

/** The session is renewed, so that it no longer claims what it no longer has. */
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
