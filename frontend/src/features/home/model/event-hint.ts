/** Whether this browser last saw an announced event: a hint for how much space to reserve. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.event-announced'

export function eventExpected(): boolean {
  return readStored(KEY) !== 'no'
}

export function expectEvent(announced: boolean): void {
  writeStored(KEY, announced ? 'yes' : 'no')
}
