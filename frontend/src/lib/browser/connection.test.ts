import { expect, it } from 'vitest'
import { connectionOf } from './connection'

it.each([
  [{ effectiveType: 'slow-2g' }, 'slow'],
  [{ effectiveType: '2g' }, 'slow'],
  [{ effectiveType: '3g' }, 'medium'],
  [{}, 'medium'],
  [undefined, 'medium'],
  [{ effectiveType: '4g' }, 'fast'],
  [{ effectiveType: '4g', saveData: true }, 'slow'],
] as const)('%o is %s', (information, quality) => expect(connectionOf(information)).toBe(quality))
