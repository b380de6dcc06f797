/** How good the connection is, as far as the browser says. */
export type Connection = 'slow' | 'medium' | 'fast'

/** What browsers tell of it, where they do. */
export interface NetworkInformation extends Partial<EventTarget> {
  effectiveType?: string
  saveData?: boolean
}

/** Who asks to save data is treated as if the connection were slow. */
export function connectionOf({ effectiveType, saveData }: NetworkInformation = {}): Connection {
  if (saveData || effectiveType === 'slow-2g' || effectiveType === '2g') return 'slow'
  return effectiveType === undefined || effectiveType === '3g' ? 'medium' : 'fast'
}

/** The connection there is; undefined where the browser keeps it to itself. */
export const connection = (): NetworkInformation | undefined =>
  (navigator as { connection?: NetworkInformation }).connection

/** Whether nothing should be fetched that is not wanted for certain. */
export const isSlow = (): boolean => connectionOf(connection()) === 'slow'
