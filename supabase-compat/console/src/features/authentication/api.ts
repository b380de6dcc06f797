/** What auth/v1 and the others were told by settings: mails, providers, limits. Nothing here is changed by a request. */
import { queryOptions } from '@tanstack/react-query'
import { serviceRequest } from '@/api/client'
import type { Language } from '@/i18n'

export type MailKind =
  | 'confirmation'
  | 'invite'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'reauthentication'
  | 'password_changed'
  | 'email_changed'
  | 'phone_changed'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'mfa_factor_enrolled'
  | 'mfa_factor_unenrolled'

/** A variable of the environment and the key of `config.toml` that say the same. */
export type SettingNames = [variable: string, key: string]

export interface MailRow {
  kind: MailKind
  is_notice: boolean
  enabled: boolean
  body: 'built_in' | 'own' | 'address'
  has_own_subject: boolean
  settings: { subject: SettingNames; body: SettingNames; enabled: SettingNames | null }
}

export interface MailList {
  /** Nothing where mails are captured and not sent. */
  relay: { host: string; port: number; sender: string } | null
  language: string
  mails: MailRow[]
}

export const mailsQuery = queryOptions({
  queryKey: ['authentication', 'mails'],
  queryFn: ({ signal }) => serviceRequest<MailList>('project/mails', { signal }),
})

export interface SampleMail {
  subject: string
  html: string
  text: string
}

export const sampleQuery = (kind: MailKind, language: Language) =>
  queryOptions({
    queryKey: ['authentication', 'mails', kind, language],
    queryFn: ({ signal }) => serviceRequest<SampleMail>(`project/mails/${kind}`, { query: { language }, signal }),
  })

export const sendTestMail = ({ kind, language }: { kind: MailKind; language: Language }) =>
  serviceRequest<{ to: string; is_captured: boolean }>(`project/mails/${kind}/test`, {
    method: 'POST',
    query: { language },
  })

export interface ProviderRow {
  name: string
  enabled: boolean
  client_id: string
  callback: string
  /** What its variables begin with. */
  variable: string
  /** Its table in `config.toml`. */
  key: string
}

export const providersQuery = queryOptions({
  queryKey: ['authentication', 'providers'],
  queryFn: async ({ signal }) =>
    (await serviceRequest<{ providers: ProviderRow[] }>('project/providers', { signal })).providers,
})

type LimitName =
  | 'auth.otp'
  | 'auth.verify'
  | 'auth.token'
  | 'auth.anonymous'
  | 'auth.mfa'
  | 'auth.passkey'
  | 'auth.sso'
  | 'auth.emails'
  | 'auth.email_pause'
  | 'realtime.sockets'
  | 'realtime.channels'
  | 'realtime.events'
  | 'realtime.joins'
  | 'storage.file_size'
  | 'functions.body'
  | 'functions.calls'
  | 'functions.time'

export interface LimitRow {
  name: LimitName
  service: string
  /** Nothing where no limit holds. */
  value: number | null
  unit: 'five_minutes' | 'hour' | 'minute' | 'second' | 'seconds' | 'at_once' | 'per_socket' | 'bytes'
  variable: string
  key: string
}

export const limitsQuery = queryOptions({
  queryKey: ['authentication', 'limits'],
  queryFn: async ({ signal }) => (await serviceRequest<{ limits: LimitRow[] }>('project/limits', { signal })).limits,
})
