/** Keys of the cache for everything that a vote changes: not the months that are over, nor whether the server was up. */
import { OWN } from '@/lib/query/own-rows'

export const countedKeys = [
  'list',
  'podium',
  'detail',
  'stats',
  'history',
  'neighbours',
  'place',
  'outcomes',
  'favorites',
  'voted',
  OWN,
].map((part) => ['servers', part])
