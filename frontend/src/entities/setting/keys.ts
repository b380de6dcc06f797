/** Cache keys for settings of the site. */
import { OWN } from '@/lib/query/own-rows'

export const settingKeys = {
  all: ['settings'],
  list: ['settings', 'list'],
  registration: ['settings', 'registration'],
  edited: ['settings', OWN],
} as const
