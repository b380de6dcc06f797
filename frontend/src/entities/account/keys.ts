/** Cache keys for the account as the auth service knows it, and for that service's settings. */
import { OWN } from '@/lib/query/own-rows'

export const accountKeys = {
  all: ['account', OWN],
  user: ['account', OWN, 'user'],
  sessions: ['account', OWN, 'sessions'],
  passkeys: ['account', OWN, 'passkeys'],
  factors: ['account', OWN, 'factors'],
  totpSetup: ['account', OWN, 'totp-setup'],
  authSettings: ['auth-settings'],
} as const
