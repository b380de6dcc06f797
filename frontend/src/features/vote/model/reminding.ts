/**
 * Push messages: whether the browser supports them, and its subscription. Permission is requested
 * only after a click, when the service worker is registered, too.
 */
import { ApiError } from '@/lib/api/errors'

const WORKER = '/service-worker.js'

/** The part of a subscription that the site stores. */
export type Subscription = Pick<PushSubscriptionJSON, 'endpoint' | 'keys'>

/**
 * Whether this browser supports reminders; `denied` if the person refused permission, which only
 * they can change.
 */
export function reminding(): 'possible' | 'denied' | 'impossible' {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'impossible'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

/**
 * The subscription of this browser, created if there is none. Asks for permission, which may be
 * refused.
 */
export async function subscribe(publicKey: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new ApiError('push_denied', 'Not allowed', 0)
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  // A subscription for another key of the site cannot receive messages signed with this one.
  if (known && !isFor(known, publicKey)) await known.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (await pushManager.subscribe(options).catch(refuse)).toJSON()
  return { ...(endpoint !== undefined && { endpoint }), ...(keys !== undefined && { keys }) }
}

/** The endpoint of this browser's subscription, if there is one. */
export async function subscribed(): Promise<string | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null
}

function refuse(cause: unknown): never {
  throw new ApiError('push_unavailable', String(cause), 0)
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  if (options.applicationServerKey === null) return false
  const octets = String.fromCharCode(...new Uint8Array(options.applicationServerKey))
  return btoa(octets).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey
}
