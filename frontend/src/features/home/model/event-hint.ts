/** Whether an event was announced the last time this browser looked: a hint for how much room to keep. */
import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.event-announced'

export function eventExpected(): boolean {
  return readStored(KEY) !== 'no'
}

export function expectEvent(announced: boolean): void {
  writeStored(KEY, announced ? 'yes' : 'no')
}
