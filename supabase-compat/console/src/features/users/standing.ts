import type { Standing } from './api'

export const STANDING_COLOURS: Record<Standing, string> = {
  active: 'green',
  banned: 'red',
  invited: 'blue',
  unconfirmed: 'yellow',
  anonymous: 'gray',
}
