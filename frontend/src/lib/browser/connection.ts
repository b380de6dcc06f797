/** Quality of the connection, as the browser reports it. */
export type Connection = 'slow' | 'medium' | 'fast'

/** The part of the Network Information API that is used; not every browser has it. */
export interface NetworkInformation extends Partial<EventTarget> {
  effectiveType?: string
  saveData?: boolean
}

/** A user who has turned on data saving counts as having a slow connection. */
export function connectionOf({ effectiveType, saveData }: NetworkInformation = {}): Connection {
  if (saveData || effectiveType === 'slow-2g' || effectiveType === '2g') return 'slow'
  return effectiveType === undefined || effectiveType === '3g' ? 'medium' : 'fast'
}

/** The browser's connection information; undefined if the browser does not offer it. */
export const connection = (): NetworkInformation | undefined =>
  (navigator as { connection?: NetworkInformation }).connection

/** Whether to skip prefetching because the connection is slow. */
export const isSlow = (): boolean => connectionOf(connection()) === 'slow'
