/** The screens of the console in the order of the sidebar. */
import {
  IconApi,
  IconArchive,
  IconBolt,
  IconBroadcast,
  IconBulb,
  IconFolder,
  IconHistory,
  IconLayoutDashboard,
  IconListSearch,
  IconMailCog,
  IconPlug,
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
    | 'functions'
    | 'realtime'
    | 'authentication'
    | 'integrations'
    | 'logs'
    | 'advice'
    | 'connect'
    | 'backups'
    | 'settings'
    | 'operators'
    | 'audit'
  icon: Icon
  group: 'project' | 'watch' | 'console'
  /** The roles that may open the screen; all if absent. */
  roles?: readonly Role[]
  /** Sections with an address of their own, which the palette finds. */
  parts?: readonly Part[]
}

type Part = 'mails' | 'providers' | 'limits' | 'cron' | 'queues' | 'vault' | 'webhooks' | 'background'

export const AUTHENTICATION_PARTS = ['mails', 'providers', 'limits'] as const
export const INTEGRATION_PARTS = ['cron', 'queues', 'vault', 'webhooks', 'background'] as const

const DESTINATIONS: readonly Destination[] = [
  { name: 'overview', icon: IconLayoutDashboard, group: 'project' },
  { name: 'tables', icon: IconTable, group: 'project' },
  { name: 'sql', icon: IconTerminal2, group: 'project' },
  { name: 'users', icon: IconUsers, group: 'project' },
  { name: 'files', icon: IconFolder, group: 'project' },
  { name: 'functions', icon: IconBolt, group: 'project' },
  { name: 'realtime', icon: IconBroadcast, group: 'project' },
  { name: 'authentication', icon: IconMailCog, group: 'project', parts: AUTHENTICATION_PARTS },
  { name: 'integrations', icon: IconPlug, group: 'project', parts: INTEGRATION_PARTS },
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
