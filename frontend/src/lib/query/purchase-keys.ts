/**
 * Keys of the cache that only pages about buying use, made by the same rules as those of `query-keys`; apart from
 * `later-keys`, part of which every server's page loads.
 */
import { OWN } from './query-keys'

export const purchaseKeys = {
  /** Below `keys.payments.all`, so that what changes one renews them. */
  payments: {
    receipts: (userId: string) => ['payments', OWN, userId, 'receipts'] as const,
    receipt: (userId: string, number: string) => ['payments', OWN, userId, 'receipts', number] as const,
    /** Of everybody, as those who run the site look through them. */
    ledger: (wanted: object) => ['payments', OWN, 'ledger', wanted] as const,
    totals: (from: string | null, until: string | null) => ['payments', OWN, 'totals', from, until] as const,
    withdrawal: (paymentId: string) => ['payments', OWN, 'withdrawal', paymentId] as const,
    /** Whoever came back from the provider, signed in or not. */
    ofSession: (sessionId: string, viewer: string | null) => ['payments', OWN, viewer, 'session', sessionId] as const,
  },
  prices: {
    all: ['prices'],
    prestigeSteps: ['prices', 'prestige', 'steps'],
    prestige: (days: number) => ['prices', 'prestige', days] as const,
    /** The price of a day as it is set, which a sum of one day need not be. */
    arcadeSetting: ['prices', 'arcade', 'setting'],
    arcade: (days: number) => ['prices', 'arcade', days] as const,
  },
  /** Below `keys.arcadeSpots.all`. */
  arcadeSpots: {
    taken: ['arcade-spots', 'taken'],
    table: (wanted: object) => ['arcade-spots', OWN, 'table', wanted] as const,
    days: (from: string, until: string) => ['arcade-spots', OWN, 'days', from, until] as const,
    cleanup: ['arcade-spots', 'cleanup'],
    servers: (userId: string) => ['servers', OWN, userId, 'advertised'] as const,
  },
  /** Of the picture at an address elsewhere. */
  pictureCopy: (address: string) => ['picture-copies', OWN, address] as const,
  /** Below `keys.servers.all`, so that what changes one renews it. */
  prestige: {
    until: (serverId: string) => ['servers', OWN, 'until', serverId] as const,
  },
} as const
