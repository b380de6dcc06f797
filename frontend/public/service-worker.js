/*
 * Shows the messages people asked for, and leads where they tell. It keeps no pages: what is shown comes from the site.
 * Registered when somebody asks for a reminder, and not before. Messages: crates/ranking/src/model/reminder.rs.
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
    // The next one takes its place, without a sound.
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

/** In a window of the site where there is one. */
async function open(path) {
  const url = new URL(path, self.location.origin)
  // Messages name pages of this site only.
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const [shown] = windows
  if (!shown) return void (await self.clients.openWindow(url.href))
  await shown.focus()
  await shown.navigate(url.href)
}

/** Nothing comes any more: neither from here nor from the site. */
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
