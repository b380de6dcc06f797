import type { QueryClient } from '@tanstack/react-query'
import { keeping, lazyOf } from '@/lib/lazy'
import type { PageMatch } from '@/lib/pages'
import type { PageModule } from './main-area'

// Pages of one area that have little in common: each is fetched by itself.
const leaderboard = keeping(() => import('../pages/leaderboard-page'))
const profile = keeping(() => import('../pages/profile-page'))
const favorites = keeping(() => import('@/features/favorites/favorites-page'))
const myVotes = keeping(() => import('@/features/my-votes/my-votes-page'))
const receipt = keeping(() => import('@/features/payments/receipt-page'))
const resetPassword = keeping(() => import('@/features/auth/reset-password-page'))

const LOAD = { leaderboard, profile, receipt, favorites, myVotes, resetPassword }

const PAGES = {
  leaderboard: lazyOf(leaderboard, (module) => module.LeaderboardPage),
  profile: lazyOf(profile, (module) => module.ProfilePage),
  receipt: lazyOf(receipt, (module) => module.ReceiptPage),
  favorites: lazyOf(favorites, (module) => module.FavoritesPage),
  myVotes: lazyOf(myVotes, (module) => module.MyVotesPage),
  resetPassword: lazyOf(resetPassword, (module) => module.ResetPasswordPage),
}

function isOurs(key: string): key is keyof typeof PAGES {
  return Object.hasOwn(PAGES, key)
}

/** What belongs to one person, and where they stand among the others. */
export function AccountArea({ match: { key } }: { match: PageMatch }) {
  const Shown = PAGES[isOurs(key) ? key : 'profile']
  return <Shown />
}

/** The page's own code and, where they do not depend on who asks, its rows. */
export async function preloadRows(queries: QueryClient, match: PageMatch, query: URLSearchParams): Promise<void> {
  if (!isOurs(match.key)) return
  const page: PageModule = await LOAD[match.key]()
  await page.preloadRows?.(queries, match, query)
}
