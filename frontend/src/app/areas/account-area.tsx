import type { QueryClient } from '@tanstack/react-query'
import { keeping, lazyOf } from '@/lib/lazy'
import type { PageMatch } from '@/lib/pages'

// Pages of one area that have little in common: each is fetched by itself.
const profile = keeping(() => import('../pages/profile-page'))
const favorites = keeping(() => import('@/features/favorites/favorites-page'))
const myVotes = keeping(() => import('@/features/my-votes/my-votes-page'))
const resetPassword = keeping(() => import('@/features/auth/reset-password-page'))

const LOAD = { profile, favorites, myVotes, resetPassword }

const PAGES = {
  profile: lazyOf(profile, (module) => module.ProfilePage),
  favorites: lazyOf(favorites, (module) => module.FavoritesPage),
  myVotes: lazyOf(myVotes, (module) => module.MyVotesPage),
  resetPassword: lazyOf(resetPassword, (module) => module.ResetPasswordPage),
}

function isOurs(key: string): key is keyof typeof PAGES {
  return Object.hasOwn(PAGES, key)
}

/** What belongs to one person. */
export function AccountArea({ match: { key } }: { match: PageMatch }) {
  const Shown = PAGES[isOurs(key) ? key : 'profile']
  return <Shown />
}

/** The page's own code: what it shows depends on who asks, so no rows are asked for before that is known. */
export async function preloadRows(_: QueryClient, { key }: PageMatch): Promise<void> {
  if (isOurs(key)) await LOAD[key]()
}
