import type { LinkedPage } from './area-nav'
import { navGroups } from './nav-groups'

/** Each has a sentence that introduces it (namespace `leads`). */
export type AdminPage = Extract<LinkedPage, `admin${string}`>

const isAdminPage = (page: LinkedPage): page is AdminPage => page.startsWith('admin')

/** What those who run the site do, by what it is done to. */
export const ADMIN_GROUPS = navGroups('admin', ['listings', 'people', 'catalogue', 'money', 'site']).map((group) => ({
  ...group,
  pages: group.pages.filter(isAdminPage),
}))
