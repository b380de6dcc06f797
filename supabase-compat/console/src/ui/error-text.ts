/** The text of a refusal: ours if the code is known, else the service's message. */
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/client'

const KNOWN = [
  'network',
  'not_signed_in',
  'cross_site_request',
  'too_many_attempts',
  'invalid_credentials',
  'weak_password',
  'last_owner',
  'link_expired',
  'forbidden',
  'no_project_folder',
  'wrong_password',
  'wrong_code',
  'passkey_cancelled',
  'passkey_refused',
  'passkey_elsewhere',
  'passkey_exists',
  'challenge_expired',
  'no_domain',
  'too_many_passkeys',
  'email_taken',
  'invalid_email',
  'busy',
  'database_unavailable',
  'internal',
  'backup_runs',
  'backup_not_found',
  'download_expired',
  'key_not_found',
  'keys_in_settings',
] as const

export function useErrorText(): (error: Error) => string {
  const { t } = useTranslation('shared')
  return (error) => {
    const code = error instanceof ApiError ? KNOWN.find((one) => one === error.code) : undefined
    if (!code || !(error instanceof ApiError)) return error.message
    const { domain } = error.details
    return t(`errors.${code}`, { domain: typeof domain === 'string' ? domain : '' })
  }
}
