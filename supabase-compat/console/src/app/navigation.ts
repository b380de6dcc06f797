/** The screens of the console in the order of the sidebar. */
import {
  IconApi,
  IconArchive,
  IconBulb,
  IconFolder,
  IconHistory,
  IconLayoutDashboard,
  IconListSearch,
  IconSettings,
  IconShieldLock,
  IconTable,
  IconTerminal2,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { Role } from '@/api/session'

export interface Destination {
  name:
    | 'overview'
    | 'tables'
    | 'sql'
    | 'users'
    | 'files'
    | 'logs'
    | 'advice'
    | 'connect'
    | 'backups'
    | 'settings'
    | 'operators'
    | 'audit'
  icon: Icon
  group: 'project' | 'watch' | 'console'
  /** Only these may open it; everybody when absent. */
  roles?: readonly Role[]
}

const DESTINATIONS: readonly Destination[] = [
  { name: 'overview', icon: IconLayoutDashboard, group: 'project' },
  { name: 'tables', icon: IconTable, group: 'project' },
  { name: 'sql', icon: IconTerminal2, group: 'project' },
  { name: 'users', icon: IconUsers, group: 'project' },
  { name: 'files', icon: IconFolder, group: 'project' },
  { name: 'logs', icon: IconListSearch, group: 'watch' },
  { name: 'advice', icon: IconBulb, group: 'watch' },
  { name: 'connect', icon: IconApi, group: 'watch' },
  { name: 'backups', icon: IconArchive, group: 'console' },
  { name: 'settings', icon: IconSettings, group: 'console' },
  { name: 'operators', icon: IconShieldLock, group: 'console', roles: ['owner'] },
  { name: 'audit', icon: IconHistory, group: 'console', roles: ['owner', 'developer'] },
]

export const GROUPS = ['project', 'watch', 'console'] as const

export function destinationsFor(role: Role): readonly Destination[] {
  return DESTINATIONS.filter((one) => !one.roles || one.roles.includes(role))
}
