import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { answerWith, renderAt, SESSION } from '@/testing/render-screen'
import { readPayload } from './api'
import { tablesOf } from './channel'

/** A stub of a socket that a test controls. */
class TestSocket extends EventTarget {
  static readonly all: TestSocket[] = []
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  readyState = 1
  binaryType = 'blob'
  bufferedAmount = 0
  readonly sent: unknown[][] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: object) => void) | null = null
  onerror: (() => void) | null = null
  constructor(readonly url: string) {
    super()
    TestSocket.all.push(this)
    queueMicrotask(() => this.onopen?.())
  }
  send(text: string) {
    const frame = JSON.parse(text) as unknown[]
    this.sent.push(frame)
    const [join, reference, topic, event] = frame
    if (event === 'phx_join')
      this.say([join, reference, topic, 'phx_reply', { status: 'ok', response: { postgres_changes: [] } }])
  }
  say(frame: unknown[]) {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(frame) }))
  }
  close() {
    this.readyState = 3
    this.onclose?.({ code: 1000 })
  }
}

afterEach(() => {
  TestSocket.all.length = 0
})

it('connects to a channel without an API key', async () => {
  vi.stubGlobal('WebSocket', TestSocket)
  answerWith({})
  await renderAt('/realtime?channel=room&as=anon')
  expect(await screen.findByText('Joined')).toBeTruthy()
  const [socket] = TestSocket.all
  const url = new URL(socket!.url)
  expect(url.pathname).toBe('/console/api/realtime/websocket')
  expect([url.searchParams.get('role'), url.searchParams.get('apikey')]).toEqual(['anon', 'console'])
  socket!.say([null, null, 'realtime:room', 'broadcast', { event: 'cursor', payload: { x: 1 }, type: 'broadcast' }])
  expect(await screen.findByText('cursor')).toBeTruthy()
  expect(screen.getByText(/"x": 1/)).toBeTruthy()
})

it('sends a broadcast in a separate request', async () => {
  vi.stubGlobal('WebSocket', TestSocket)
  const sent = answerWith({ 'POST services/realtime/v1/api/broadcast': null })
  const { user } = await renderAt('/realtime?channel=room')
  await user.type(await screen.findByRole('textbox', { name: 'Event' }), 'cursor')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  const messages = [{ topic: 'room', event: 'cursor', payload: {}, private: false }]
  await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ messages }))
})

it('lets read-only operators watch but not send', async () => {
  vi.stubGlobal('WebSocket', TestSocket)
  answerWith({ 'GET session': { ...SESSION, operator: { ...SESSION.operator, role: 'read_only' } } })
  await renderAt('/realtime?channel=room')
  expect(await screen.findByText('Joined')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
})

it('parses tables by schema and name', () => {
  expect(tablesOf(' songs, auth.users ,other. ')).toEqual([
    { schema: 'public', table: 'songs' },
    { schema: 'auth', table: 'users' },
    { schema: 'other', table: '*' },
  ])
  expect(tablesOf('')).toEqual([])
})

it('accepts only objects as a payload', () => {
  expect(readPayload('{"a":1}')).toEqual({ a: 1 })
  for (const text of ['', '[]', '1', 'null', '{']) expect(readPayload(text)).toBeNull()
})
