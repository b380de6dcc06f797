import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, refused } from '@/testing/answers'
import { removePictures, uploadTo } from './upload'

/** A stub of XMLHttpRequest that a test controls. */
class Putting extends EventTarget {
  static made: Putting[] = []
  upload = new EventTarget()
  headers: Record<string, string> = {}
  address = ''
  status = 200
  responseText = ''
  sent: unknown
  constructor() {
    super()
    Putting.made.push(this)
  }
  open(method: string, address: string): void {
    this.address = `${method} ${address}`
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }
  send(file: unknown): void {
    this.sent = file
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'))
  }
}

const PICTURE = new Blob(['pixels'], { type: 'image/webp' })
const progress = vi.fn()
let ends: AbortController

const signs = () =>
  answers(({ name, method }) =>
    method === 'POST'
      ? Response.json({ url: `/object/upload/sign/server-images/${name.split('server-images/')[1]}?token=t` })
      : Response.json([]),
  )

async function begin() {
  const api = signs()
  const done = uploadTo('partners', 'logo-')(PICTURE, { signal: ends.signal, onProgress: progress })
  done.catch(() => undefined)
  await vi.waitFor(() => expect(Putting.made).toHaveLength(1))
  return { ...api, done, putting: Putting.made[0]! }
}

beforeEach(() => {
  Putting.made = []
  progress.mockReset()
  ends = new AbortController()
  vi.stubGlobal('XMLHttpRequest', Putting)
})
afterEach(() => vi.unstubAllGlobals())

it('uploads a picture under a unique path', async () => {
  const { done, putting } = await begin()
  expect(putting.address).toMatch(/^PUT .*\/partners\/logo-[0-9a-f-]{36}\.webp\?token=t$/)
  expect(putting.headers).toEqual({ 'content-type': 'image/webp', 'cache-control': 'max-age=31536000' })
  expect(putting.sent).toBe(PICTURE)
  putting.dispatchEvent(new Event('load'))
  expect(await done).toMatch(/^\/storage\/v1\/object\/public\/server-images\/partners\/logo-[0-9a-f-]{36}\.webp$/)
})

it('tells how far it is', async () => {
  const { putting } = await begin()
  for (const [loaded, total] of [
    [10, 40],
    [5, 0],
  ])
    putting.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  expect(progress.mock.calls).toEqual([[0.25], [0]])
})

it.each([
  [
    'is refused',
    (putting: Putting) => Object.assign(putting, { status: 413 }).dispatchEvent(new Event('load')),
    { code: 'upload_refused', status: 413 },
  ],
  ['gets no answer', (putting: Putting) => putting.dispatchEvent(new Event('error')), { code: 'offline', status: 0 }],
])('throws when it %s', async (_, happens, refusal) => {
  const { done, putting } = await begin()
  happens(putting)
  await expect(done).rejects.toMatchObject(refusal)
})

it('is called off', async () => {
  const { done } = await begin()
  ends.abort()
  await expect(done).rejects.toMatchObject({ name: 'AbortError' })
})

it('sends nothing that is no picture', async () => {
  const { requests: signedPaths } = signs()
  const file = new Blob(['x'], { type: 'text/html' })
  await expect(uploadTo('partners')(file, { signal: ends.signal, onProgress: progress })).rejects.toMatchObject({
    status: 415,
  })
  expect(signedPaths).toEqual([])
})

it('throws what the service refuses to sign', async () => {
  answers(() => refused('42501', 403))
  await expect(uploadTo('partners')(PICTURE, { signal: ends.signal, onProgress: progress })).rejects.toMatchObject({
    name: 'ApiError',
  })
  expect(Putting.made).toEqual([])
})

it('deletes only pictures below the given folder', async () => {
  const { requests: signedPaths } = signs()
  removePictures('u1', [
    '/storage/v1/object/public/server-images/u1/a.webp',
    '/storage/v1/object/public/server-images/u2/b.webp',
    'https://elsewhere.example/u1/c.webp',
  ])
  await vi.waitFor(() => expect(signedPaths).toHaveLength(1))
  expect(signedPaths[0]).toMatchObject({ method: 'DELETE', body: { prefixes: ['u1/a.webp'] } })
})

it('asks for nothing where nothing is to go', async () => {
  const { requests: signedPaths } = signs()
  removePictures('u1', ['https://elsewhere.example/a.png'])
  await Promise.resolve()
  expect(signedPaths).toEqual([])
})
