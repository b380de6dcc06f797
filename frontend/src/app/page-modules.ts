/**
 * The component of each page, one line a page: its module, and behind `#` the export of that
 * module. The areas draw from this list (`scripts/page-modules-plugin.ts`), the build derives the
 * server's preloads from it (`scripts/first-load-plugin.ts`), and `page-texts.test.ts` checks the
 * texts of its modules. A page that is missing here, or is not in the registry, is a type error.
 *
 * A page's component gets the `match` of its address. Its module may export `preloadRows`.
 */
import type { PageKey } from '@/lib/routing/pages'

export const PAGE_MODULES = {
  home: 'src/app/pages/home-page.tsx#HomePage',
  game: 'src/app/pages/game-page.tsx#GamePage',
  shortcut: 'src/app/pages/home-page.tsx#ShortcutPage',
  server: 'src/app/pages/server-page.tsx#ServerPage',
  serverById: 'src/app/pages/server-page.tsx#ServerPage',
  leaderboard: 'src/app/pages/leaderboard-page.ts#LeaderboardPage',
  hallOfFame: 'src/app/pages/hall-page.ts#HallPage',
  gameHall: 'src/app/pages/hall-page.ts#GameHallPage',
  monthArchive: 'src/app/pages/hall-page.ts#MonthArchivePage',
  gameMonthArchive: 'src/app/pages/hall-page.ts#MonthArchivePage',
  competitiveEvent: 'src/app/pages/competition-page.tsx#CompetitionPage',
  publicReport: 'src/features/public-report/public-report-page.tsx#PublicReportPage',
  appeal: 'src/features/appeal/appeal-page.tsx#AppealPage',
  weeklyMail: 'src/features/weekly-mail/weekly-mail-page.tsx#WeeklyMailPage',
  profile: 'src/app/pages/profile-page.tsx#ProfilePage',
  receipt: 'src/features/payments/receipt-page.tsx#ReceiptPage',
  favorites: 'src/features/favorites/favorites-page.tsx#FavoritesPage',
  myVotes: 'src/features/my-votes/my-votes-page.tsx#MyVotesPage',
  resetPassword: 'src/features/auth/reset-password-page.tsx#ResetPasswordPage',
  addServer: 'src/app/pages/add-server-page.tsx#AddServerPage',
  editServer: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  editServerMedia: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  editServerEvents: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  editServerIntegrations: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  editServerPrestige: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  editServerDelete: 'src/app/pages/edit-server-page.tsx#EditServerPage',
  creatorTools: 'src/features/creator-tools/creator-tools-page.tsx#CreatorToolsPage',
  arcadeSpotsManagement: 'src/app/pages/arcade-page.tsx#ArcadePage',
  arcadeSpotsSuccess: 'src/app/pages/return-page.tsx#ReturnPage',
  prestigeSuccess: 'src/app/pages/return-page.tsx#ReturnPage',
  apiDocs: 'src/features/documentation/api-docs-page.tsx#ApiDocsPage',
  votifierGuide: 'src/features/documentation/votifier-guide-page.tsx#VotifierGuidePage',
  howRanking: 'src/features/documentation/how-ranking-page.tsx#HowRankingPage',
  privacy: 'src/app/pages/legal-page.tsx#LegalPage',
  terms: 'src/app/pages/legal-page.tsx#LegalPage',
  termsOfSale: 'src/app/pages/legal-page.tsx#LegalPage',
  seoAudit: 'src/features/seo-audit/seo-audit-page.tsx#SeoAuditPage',
  admin: 'src/app/areas/admin-overview.tsx#AdminOverview',
  adminServers: 'src/features/admin-servers/servers-page.tsx#ServersPage',
  adminModeration: 'src/features/admin-moderation/moderation-page.tsx#ModerationPage',
  adminReports: 'src/features/admin-moderation/reports-page.tsx#ReportsPage',
  adminUsers: 'src/features/admin-users/users-page.tsx#UsersPage',
  adminVotes: 'src/features/admin-votes/votes-page.tsx#VotesPage',
  adminSecurity: 'src/features/admin-security/security-page.tsx#SecurityPage',
  adminTags: 'src/features/admin-catalogue/tags-page.tsx#TagsPage',
  adminTagProposals: 'src/features/admin-catalogue/proposals-page.tsx#ProposalsPage',
  adminGames: 'src/features/admin-catalogue/games-page.tsx#GamesPage',
  adminEventTypes: 'src/features/admin-catalogue/event-types-page.tsx#EventTypesPage',
  adminCompetitiveEvents: 'src/features/admin-contests/contests-page.tsx#ContestsPage',
  adminArcadeSpots: 'src/features/admin-arcade/spots-page.tsx#SpotsPage',
  adminArcadePricing: 'src/features/admin-arcade/price-page.tsx#ArcadePricePage',
  adminPrestigePricing: 'src/features/admin-money/prestige-prices-page.tsx#PrestigePricesPage',
  adminPrestigePayments: 'src/features/admin-money/payments-page.tsx#PaymentsPage',
  adminPartners: 'src/features/partners/partners-page.tsx#PartnersPage',
  adminImages: 'src/features/admin-images/images-page.tsx#ImagesPage',
  adminPageErrors: 'src/features/admin-page-errors/page-errors-page.tsx#PageErrorsPage',
  adminStats: 'src/features/admin-stats/stats-page.tsx#StatsPage',
  adminSettings: 'src/features/admin-settings/settings-page.tsx#SettingsPage',
  adminWebhooks: 'src/app/areas/admin-webhooks.tsx#AdminWebhooks',
} as const satisfies Record<PageKey, `src/${string}#${string}`>

export const PAGE_KEYS = Object.keys(PAGE_MODULES).filter((key) => Object.hasOwn(PAGE_MODULES, key)) as PageKey[]

/** The module that draws a page, and the name of its component. */
export function moduleOf(key: PageKey): { path: string; component: string } {
  const [path = '', component = ''] = PAGE_MODULES[key].split('#')
  return { path, component }
}
