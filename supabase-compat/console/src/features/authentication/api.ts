/**
 * The settings of auth/v1 and other services: mails, providers, limits; and providers added at run
 * time.
 */
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

/** The environment variable and the key of `config.toml` for one setting. */
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
  /** Null if mails are captured instead of sent. */
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
  /** The prefix of its variables. */
  variable: string
  /** Its table in `config.toml`. */
  key: string
}

export interface ProviderSettings {
  providers: ProviderRow[]
  /** Custom providers: whether the settings allow them, and their callback address. */
  custom: { enabled: boolean; callback: string }
}

export const providersQuery = queryOptions({
  queryKey: ['authentication', 'providers'],
  queryFn: ({ signal }) => serviceRequest<ProviderSettings>('project/providers', { signal }),
})

export interface CustomProvider {
  provider_type: 'oidc' | 'oauth2'
  /** `custom:…` */
  identifier: string
  name: string
  enabled: boolean
  issuer?: string
  authorization_url?: string
}

export type NewCustomProvider = Pick<CustomProvider, 'provider_type' | 'identifier' | 'name'> & {
  client_id: string
  client_secret: string
  scopes: string[]
}

const CUSTOM = 'auth/v1/admin/custom-providers'

export const customProvidersQuery = queryOptions({
  queryKey: ['authentication', 'custom-providers'],
  queryFn: async ({ signal }) => (await serviceRequest<{ providers: CustomProvider[] }>(CUSTOM, { signal })).providers,
})

const customPath = (identifier: string) => `${CUSTOM}/${encodeURIComponent(identifier)}`
export const addCustomProvider = (body: NewCustomProvider) => serviceRequest<void>(CUSTOM, { method: 'POST', body })
export const switchCustomProvider = ({ identifier, enabled }: { identifier: string; enabled: boolean }) =>
  serviceRequest<void>(customPath(identifier), { method: 'PUT', body: { enabled } })
export const removeCustomProvider = (identifier: string) =>
  serviceRequest<void>(customPath(identifier), { method: 'DELETE' })

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
  /** Null for no limit. */
  value: number | null
  unit: 'five_minutes' | 'hour' | 'minute' | 'second' | 'seconds' | 'at_once' | 'per_socket' | 'bytes'
  variable: string
  key: string
}

export const limitsQuery = queryOptions({
  queryKey: ['authentication', 'limits'],
  queryFn: async ({ signal }) => (await serviceRequest<{ limits: LimitRow[] }>('project/limits', { signal })).limits,
})
