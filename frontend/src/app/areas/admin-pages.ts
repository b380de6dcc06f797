import type { ComponentType } from 'react'
import { lazyNamed } from '@/lib/lazy'
import type { PageKey, PageMatch } from '@/lib/pages'

type AdminPages = Partial<Record<PageKey, ComponentType<{ match: PageMatch }>>>

/** The administration's screens, each fetched by itself: `adminTags: lazyNamed(async () => (await import(…)).TagsPage)`. */
export const ADMIN_PAGES: AdminPages = {
  adminArcadePricing: lazyNamed(async () => (await import('@/features/admin-arcade/price-page')).ArcadePricePage),
  adminArcadeSpots: lazyNamed(async () => (await import('@/features/admin-arcade/spots-page')).SpotsPage),
  adminCompetitiveEvents: lazyNamed(async () => (await import('@/features/admin-contests/contests-page')).ContestsPage),
  adminEventTypes: lazyNamed(async () => (await import('@/features/admin-catalogue/event-types-page')).EventTypesPage),
  adminGames: lazyNamed(async () => (await import('@/features/admin-catalogue/games-page')).GamesPage),
  adminImages: lazyNamed(async () => (await import('@/features/admin-images/images-page')).ImagesPage),
  adminModeration: lazyNamed(async () => (await import('@/features/admin-moderation/moderation-page')).ModerationPage),
  adminPartners: lazyNamed(async () => (await import('@/features/partners/partners-page')).PartnersPage),
  adminPrestigePayments: lazyNamed(async () => (await import('@/features/admin-money/payments-page')).PaymentsPage),
  adminPrestigePricing: lazyNamed(
    async () => (await import('@/features/admin-money/prestige-prices-page')).PrestigePricesPage,
  ),
  adminReports: lazyNamed(async () => (await import('@/features/admin-moderation/reports-page')).ReportsPage),
  adminSecurity: lazyNamed(async () => (await import('@/features/admin-security/security-page')).SecurityPage),
  adminServers: lazyNamed(async () => (await import('@/features/admin-servers/servers-page')).ServersPage),
  adminSettings: lazyNamed(async () => (await import('@/features/admin-settings/settings-page')).SettingsPage),
  adminStats: lazyNamed(async () => (await import('@/features/admin-stats/stats-page')).StatsPage),
  adminTagProposals: lazyNamed(async () => (await import('@/features/admin-catalogue/proposals-page')).ProposalsPage),
  adminTags: lazyNamed(async () => (await import('@/features/admin-catalogue/tags-page')).TagsPage),
  adminUsers: lazyNamed(async () => (await import('@/features/admin-users/users-page')).UsersPage),
  adminVotes: lazyNamed(async () => (await import('@/features/admin-votes/votes-page')).VotesPage),
  adminWebhooks: lazyNamed(async () => (await import('./admin-webhooks')).AdminWebhooks),
}
