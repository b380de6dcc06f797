/**
 * Messages of the browser: whether it can show any, and under which address it is reached. It is asked only when
 * somebody presses for it; the service worker is registered then, too.
 */
import { ApiError } from '@/lib/api/errors'

const WORKER = '/service-worker.js'

/** What the site is told of a browser. */
export type Subscription = Pick<PushSubscriptionJSON, 'endpoint' | 'keys'>

/** Whether this browser can be reminded at all; `denied` where the person said no, which only they can take back. */
export function reminding(): 'possible' | 'denied' | 'impossible' {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'impossible'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

/** The address of this browser, made where there is none yet. Asks the person, who may refuse. */
export async function subscribe(publicKey: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new ApiError('push_denied', 'Not allowed', 0)
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  // One made for another key of the site takes no messages signed by this one.
  if (known && !isFor(known, publicKey)) await known.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (await pushManager.subscribe(options).catch(refuse)).toJSON()
  return { ...(endpoint !== undefined && { endpoint }), ...(keys !== undefined && { keys }) }
}

/** The address of this browser, if it has one. */
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
