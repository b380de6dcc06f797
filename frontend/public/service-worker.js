/*
 * Shows the notifications that a person subscribed to, and opens the page that a notification
 * names. Caches no pages. It is registered when a person asks for a reminder, not before. The
 * payloads are described in crates/ranking/src/model/reminder.rs.
 */
const REMINDERS = '/functions/v1/vote-reminder'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, url, stop, lang } = event.data?.json() ?? {}
  if (!title) return
  const shown = self.registration.showNotification(title, {
    body,
    lang,
    icon: '/pictures/brand/icon-192.png',
    badge: '/pictures/brand/icon-192.png',
    // The next notification replaces this one silently.
    tag: 'vote',
    data: { url },
    actions: [{ action: 'stop', title: stop }],
  })
  event.waitUntil(shown)
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(event.action === 'stop' ? end() : open(event.notification.data?.url ?? '/'))
})

/** Opens the page in a window of the site, if one is open. */
async function open(path) {
  const url = new URL(path, self.location.origin)
  // A notification may open pages of this site only.
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const [shown] = windows
  if (!shown) return void (await self.clients.openWindow(url.href))
  await shown.focus()
  await shown.navigate(url.href)
}

/** Ends the subscription in the browser and on the site. */
async function end() {
  const subscription = await self.registration.pushManager.getSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await subscription.unsubscribe()
  await fetch(REMINDERS, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint }),
  })
}
