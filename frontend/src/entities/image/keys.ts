/** Cache keys for runs of the image optimizer, the images it could not make smaller, and copies. */
import { OWN } from '@/lib/query/own-rows'

export const imageKeys = {
  all: ['images', OWN],
  runs: ['images', OWN, 'runs'],
  failures: (looked: string) => ['images', OWN, 'failures', looked] as const,
  /** The copy of an image elsewhere, by its address. */
  copy: (address: string) => ['picture-copies', OWN, address] as const,
} as const
