/** Cache keys for payments and their receipts. */
import { OWN } from '@/lib/query/own-rows'

export const paymentKeys = {
  all: ['payments'],
  own: (userId: string) => ['payments', OWN, userId] as const,
  receipts: (userId: string) => ['payments', OWN, userId, 'receipts'] as const,
  receipt: (userId: string, number: string) => ['payments', OWN, userId, 'receipts', number] as const,
  withdrawal: (paymentId: string) => ['payments', OWN, 'withdrawal', paymentId] as const,
  /**
   * The payment of a checkout session, for the person who returned from the provider, signed in or
   * not.
   */
  ofSession: (sessionId: string, viewer: string | null) => ['payments', OWN, viewer, 'session', sessionId] as const,
  /** Payments of everybody, for administrators. */
  ledger: (request: object) => ['payments', OWN, 'ledger', request] as const,
  totals: (from: string | null, until: string | null) => ['payments', OWN, 'totals', from, until] as const,
} as const
