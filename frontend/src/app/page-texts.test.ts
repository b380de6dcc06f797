/**
 * A component that asks for texts which are not there suspends, and what is around it is hidden until they come. So
 * all that a page may draw without fetching more code finds its texts among those its registry entry names.
 */
import { expect, test } from 'vitest'
import { PAGE_KEYS, pageOf, type PageKey } from '@/lib/pages'
import { EVERYWHERE, startingTexts, textsOf } from './router'

const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const sources = new Map(Object.entries(files).map(([path, text]) => [new URL(path, 'file:///src/app/').pathname, text]))

/** Where a page's own code begins; what stands for those to come is its area's. */
const BEGINNINGS: Partial<Record<PageKey, string>> = {
  home: '/src/app/pages/home-page.tsx',
  shortcut: '/src/app/pages/home-page.tsx',
  game: '/src/app/pages/game-page.tsx',
  server: '/src/features/server-page/server-page.tsx',
  serverById: '/src/features/server-page/server-page.tsx',
  notice: '/src/features/notice/notice-page.tsx',
  appeal: '/src/features/appeal/appeal-page.tsx',
  weeklyMail: '/src/features/weekly-mail/weekly-mail-page.tsx',
  hallOfFame: '/src/features/hall-of-fame/hall-page.tsx',
  gameHall: '/src/features/hall-of-fame/game-hall-page.tsx',
  monthArchive: '/src/features/hall-of-fame/month-archive-page.tsx',
  gameMonthArchive: '/src/features/hall-of-fame/month-archive-page.tsx',
  leaderboard: '/src/app/pages/leaderboard-page.ts',
  profile: '/src/app/pages/profile-page.tsx',
  favorites: '/src/features/favorites/favorites-page.tsx',
  myVotes: '/src/features/my-votes/my-votes-page.tsx',
  resetPassword: '/src/features/auth/reset-password-page.tsx',
  admin: '/src/app/areas/admin-area.tsx',
  adminArcadePricing: '/src/features/admin-arcade/price-page.tsx',
  adminArcadeSpots: '/src/features/admin-arcade/spots-page.tsx',
  adminCompetitiveEvents: '/src/features/admin-contests/contests-page.tsx',
  adminEventTypes: '/src/features/admin-catalogue/event-types-page.tsx',
  adminGames: '/src/features/admin-catalogue/games-page.tsx',
  adminImages: '/src/features/admin-images/images-page.tsx',
  adminModeration: '/src/features/admin-moderation/moderation-page.tsx',
  adminPartners: '/src/features/partners/partners-page.tsx',
  adminPrestigePayments: '/src/features/admin-money/payments-page.tsx',
  adminPrestigePricing: '/src/features/admin-money/prestige-prices-page.tsx',
  adminReports: '/src/features/admin-moderation/reports-page.tsx',
  adminSecurity: '/src/features/admin-security/security-page.tsx',
  adminServers: '/src/features/admin-servers/servers-page.tsx',
  adminSettings: '/src/features/admin-settings/settings-page.tsx',
  adminStats: '/src/features/admin-stats/stats-page.tsx',
  adminTagProposals: '/src/features/admin-catalogue/proposals-page.tsx',
  adminTags: '/src/features/admin-catalogue/tags-page.tsx',
  adminUsers: '/src/features/admin-users/users-page.tsx',
  adminVotes: '/src/features/admin-votes/votes-page.tsx',
  adminWebhooks: '/src/app/areas/admin-webhooks.tsx',
  addServer: '/src/app/pages/add-server-page.tsx',
  editServer: '/src/app/pages/edit-server-page.tsx',
  editServerMedia: '/src/app/pages/edit-server-page.tsx',
  editServerEvents: '/src/app/pages/edit-server-page.tsx',
  editServerIntegrations: '/src/app/pages/edit-server-page.tsx',
  editServerPrestige: '/src/app/pages/edit-server-page.tsx',
  editServerDelete: '/src/app/pages/edit-server-page.tsx',
  creatorTools: '/src/features/creator-tools/creator-tools-page.tsx',
  receipt: '/src/features/payments/receipt-page.tsx',
  arcadeSpotsManagement: '/src/app/pages/arcade-page.tsx',
  arcadeSpotsSuccess: '/src/features/payments/return-page.tsx',
  prestigeSuccess: '/src/features/payments/return-page.tsx',
  apiDocs: '/src/features/documentation/api-docs-page.tsx',
  howRanking: '/src/features/documentation/how-ranking-page.tsx',
  competitiveEvent: '/src/features/competition/competition-page.tsx',
  votifierGuide: '/src/features/documentation/votifier-guide-page.tsx',
  privacy: '/src/features/documentation/legal-page.tsx',
  terms: '/src/features/documentation/legal-page.tsx',
  termsOfSale: '/src/features/documentation/legal-page.tsx',
  seoAudit: '/src/features/seo-audit/seo-audit-page.tsx',
}
const COMING = {
  main: '/src/features/coming-soon/coming-soon-page.tsx',
  account: '/src/features/coming-soon/coming-soon-page.tsx',
  owner: '/src/app/areas/owner-area.tsx',
  admin: '/src/app/areas/admin-area.tsx',
  docs: '/src/app/areas/docs-area.tsx',
}

/** The modules that come with one; `import()` fetches later, behind a boundary of its own. */
function together(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const importing = /^(?:import|export)\s(?!type\s)[^;'"]*?from '([^']+)'/gm
  for (const [, named = ''] of (sources.get(path) ?? '').matchAll(importing)) {
    const wanted = named.startsWith('@/') ? `/src/${named.slice(2)}` : new URL(named, `file://${path}`).pathname
    const found = [`${wanted}.ts`, `${wanted}.tsx`].find((file) => sources.has(file))
    if (found !== undefined && /^(?:@\/|\.)/.test(named)) together(found, seen)
  }
  return seen
}

/** Namespaces the components below a module ask for, with where each is asked for first. */
function askedBelow(beginning: string): Map<string, string> {
  const asked = new Map<string, string>()
  for (const path of together(beginning))
    for (const [, names = ''] of (sources.get(path) ?? '').matchAll(/useTranslation\(([^)]*)\)/g))
      for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) if (!asked.has(name)) asked.set(name, path)
  return asked
}

function missing(beginning: string, there: readonly string[]): string[] {
  return [...askedBelow(beginning)].filter(([name]) => !there.includes(name)).map(([name, path]) => `${name}: ${path}`)
}

test.each(['/src/app/shell/shell.tsx', '/src/app/page-crash.tsx'])('%s has its texts wherever it stands', (path) => {
  expect(missing(path, EVERYWHERE)).toEqual([])
})

test('the page of an address that leads nowhere finds the texts of all its parts', () => {
  expect(missing('/src/app/pages/missing-page.tsx', startingTexts('/nothing/here'))).toEqual([])
})

test.each(PAGE_KEYS)('%s finds the texts of all its parts', (key) => {
  const { area, coming } = pageOf(key)
  const beginning = BEGINNINGS[key] ?? COMING[area]
  expect([sources.has(beginning), coming]).toEqual([true, !(key in BEGINNINGS)])
  expect(missing(beginning, [...EVERYWHERE, ...textsOf(key)])).toEqual([])
})
