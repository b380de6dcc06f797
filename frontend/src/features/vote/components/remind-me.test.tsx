import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { RemindMe } from './remind-me'

const user = userEvent.setup()
const ask = vi.fn<(method: string, body: unknown) => Response>()
const requestPermission = vi.fn<() => Promise<NotificationPermission>>()

/** Stubs a browser that supports push messages. */
function standIn(permission: NotificationPermission = 'default'): void {
  const subscription = {
    endpoint: 'https://push.example/1',
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
  }
  const pushManager = { getSubscription: () => Promise.resolve(null), subscribe: () => Promise.resolve(subscription) }
  const registration = { pushManager: { ...pushManager, getSubscription: () => Promise.resolve(subscription) } }
  vi.stubGlobal('Notification', { permission, requestPermission })
  vi.stubGlobal('PushManager', vi.fn())
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: () => Promise.resolve({ pushManager }),
      ready: Promise.resolve({ pushManager }),
      getRegistration: () => Promise.resolve(registration),
    },
  })
}

beforeEach(() => {
  requestPermission.mockReset().mockResolvedValue('granted')
  ask.mockReset().mockImplementation((method) => {
    if (method === 'GET') return Response.json({ publicKey: 'key' })
    return Response.json(method === 'POST' ? { remindAt: 1_790_000_000 } : { ended: 1 })
  })
  vi.stubGlobal('fetch', (_url: string, { method = 'GET', body }: RequestInit) =>
    Promise.resolve(ask(method, typeof body === 'string' ? JSON.parse(body) : null)),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

it('shows nothing without push support', async () => {
  const { container } = await renderPage(<RemindMe serverId="s" />)
  expect(container.textContent).toBe('')
})

it('creates and cancels a push reminder', async () => {
  standIn()
  await renderPage(<RemindMe serverId="s" />)
  expect(requestPermission).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Me prévenir quand je pourrai revoter' }))
  expect(await screen.findByText(/Rappel programmé à/)).toBeTruthy()
  const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }
  expect(ask.mock.calls.at(-1)).toEqual(['POST', { subscription, serverId: 's', language: 'fr' }])
  await user.click(screen.getByRole('button', { name: 'Annuler le rappel' }))
  await waitFor(() => expect(screen.queryByText(/Rappel prévu/)).toBeNull())
  expect(ask.mock.calls.at(-1)).toEqual(['DELETE', { endpoint: 'https://push.example/1', serverId: 's' }])
})

it('sends no subscription after a denied permission', async () => {
  standIn()
  requestPermission.mockResolvedValue('denied')
  await renderPage(<RemindMe serverId="s" />)
  await user.click(screen.getByRole('button', { name: 'Me prévenir quand je pourrai revoter' }))
  await waitFor(() => expect(requestPermission).toHaveBeenCalled())
  expect(ask.mock.calls.map(([method]) => method)).toEqual(['GET'])
  cleanup()
  standIn('denied')
  await renderPage(<RemindMe serverId="s" />)
  expect(screen.getByText(/bloque les notifications/)).toBeTruthy()
})
