/**
 * Broadcasts are separate requests, so that the operator's role is checked and the audit log
 * records them.
 */
import { callerHeaders, type Caller } from '@/api/caller'
import { serviceRequest } from '@/api/client'

export interface Broadcast {
  topic: string
  event: string
  payload: unknown
  isPrivate: boolean
  caller: Caller
}

export const sendBroadcast = ({ topic, event, payload, isPrivate, caller }: Broadcast) =>
  serviceRequest<void>('realtime/v1/api/broadcast', {
    method: 'POST',
    headers: callerHeaders(caller),
    body: { messages: [{ topic, event, payload, private: isPrivate }] },
  })

/** The object in a JSON text; null if it is none. */
export function readPayload(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
