/** Whether an event was announced the last time this browser looked: a hint for how much room to keep. */
const KEY = 'palmares.event-announced'

export function eventExpected(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'no'
  } catch {
    return true
  }
}

export function expectEvent(announced: boolean): void {
  try {
    localStorage.setItem(KEY, announced ? 'yes' : 'no')
  } catch {
    // Without storage the room is kept every time.
  }
}
