import type { AccountStatus } from './api'

export const STATUS_COLOURS: Record<AccountStatus, string> = {
  active: 'green',
  banned: 'red',
  invited: 'blue',
  unconfirmed: 'yellow',
  anonymous: 'gray',
}
