import { beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '@/lib/browser/stored'
import { showDisplayFont } from './display-font'

const KEPT = 'palmares.display-font'

beforeEach(() => writeStored(KEPT, null))

test('display font loads after the page is drawn', async () => {
  showDisplayFont(false)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(readStored(KEPT)).toBeNull()
  showDisplayFont(true)
  await vi.waitFor(() => expect(readStored(KEPT)).toBe('yes'))
})
