import type { LinkedPage } from './area-nav'
import { navGroups } from './nav-groups'

/** Each page has an introductory sentence (namespace `leads`). */
export type AdminPage = Extract<LinkedPage, `admin${string}`>

const isAdminPage = (page: LinkedPage): page is AdminPage => page.startsWith('admin')

/** Pages of the administration, grouped by what they administer. */
export const ADMIN_GROUPS = navGroups('admin', ['listings', 'people', 'catalogue', 'money', 'site']).map((group) => ({
  ...group,
  pages: group.pages.filter(isAdminPage),
}))
