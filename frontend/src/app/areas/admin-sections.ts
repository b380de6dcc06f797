import type { LinkedPage } from './area-nav'

/** What those who run the site do, by what it is done to. */
export const ADMIN_SECTIONS = {
  listings: ['adminServers', 'adminVotes', 'adminModeration', 'adminReports'],
  people: ['adminUsers', 'adminSecurity'],
  catalogue: ['adminTags', 'adminTagProposals', 'adminGames', 'adminEventTypes'],
  money: [
    'adminCompetitiveEvents',
    'adminArcadeSpots',
    'adminArcadePricing',
    'adminPrestigePricing',
    'adminPrestigePayments',
  ],
  site: ['adminStats', 'adminPartners', 'adminImages', 'adminSettings'],
} as const satisfies Record<string, readonly LinkedPage[]>

export const ADMIN_GROUPS = ['listings', 'people', 'catalogue', 'money', 'site'] as const

export type AdminSection = (typeof ADMIN_SECTIONS)[keyof typeof ADMIN_SECTIONS][number]
