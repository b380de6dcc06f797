/** Keys of the cache for runs of the image optimizer, the images it could not make smaller, and copies. */
import { OWN } from '@/lib/query/own-rows'

export const imageKeys = {
  all: ['images', OWN],
  runs: ['images', OWN, 'runs'],
  failures: (looked: string) => ['images', OWN, 'failures', looked] as const,
  /** Of the image at an address elsewhere. */
  copy: (address: string) => ['picture-copies', OWN, address] as const,
} as const
