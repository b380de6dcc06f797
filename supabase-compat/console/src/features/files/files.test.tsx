import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, renderAt, type SentRequest } from '@/testing/render-screen'
import { deleteEntries } from './api'

const BUCKET = {
  id: 'photos',
  name: 'photos',
  public: true,
  file_size_limit: null,
  allowed_mime_types: null,
  created_at: '2026-01-01T00:00:00Z',
}
const FILE = {
  name: 'a b.txt',
  id: 'o1',
  updated_at: '2026-01-01T00:00:00Z',
  created_at: '2026-01-01T00:00:00Z',
  metadata: { size: 5, mimetype: 'text/plain' },
}
const FOLDER = { name: '2026', id: null, updated_at: null, created_at: null, metadata: null }
const LIST = 'services/storage/v1/object/list/photos'

it('lists a folder without its placeholder', async () => {
  const sent = answerWith({
    'GET services/storage/v1/bucket': [BUCKET],
    [`POST ${LIST}`]: [FOLDER, { ...FILE, name: '.emptyFolderPlaceholder' }, FILE],
  })
  await renderAt('/files/photos/albums')
  const folder = await screen.findByRole('link', { name: '2026' })
  expect(folder.getAttribute('href')).toBe('/files/photos/albums/2026')
  expect(screen.queryByText('.emptyFolderPlaceholder')).toBeNull()
  expect(sent.find(({ path }) => path === LIST)?.body).toMatchObject({ prefix: 'albums', limit: 100, offset: 0 })
})

it('shows the content and public URL of files', async () => {
  answerWith({
    'GET services/storage/v1/bucket': [BUCKET],
    [`POST ${LIST}`]: [FILE],
    'GET services/storage/v1/object/info/photos/a%20b.txt': {
      id: 'o1',
      size: 5,
      content_type: 'text/plain',
      created_at: '2026-01-01T00:00:00Z',
    },
    'GET services/storage/v1/object/authenticated/photos/a%20b.txt': () => new Response('hello'),
  })
  const { user } = await renderAt('/files/photos')
  await user.click(await screen.findByRole('link', { name: 'a b.txt' }))
  expect(await screen.findByText('hello')).toBeTruthy()
  expect(screen.getByText('http://127.0.0.1:54321/storage/v1/object/public/photos/a%20b.txt')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
    '/console/api/services/storage/v1/object/authenticated/photos/a%20b.txt',
  )
})

it('deletes a folder with everything in it', async () => {
  const pages = [['albums/2026/a', 'albums/2026/b'], ['albums/2026/c'], []]
  const sent = answerWith({
    'POST services/storage/v1/object/list-v2/photos': () => ({
      objects: (pages.shift() ?? []).map((key) => ({ key })),
    }),
    'DELETE services/storage/v1/object/photos': [],
  })
  await deleteEntries('photos', 'albums', [FILE, FOLDER])
  const removed = sent.filter(({ method }: SentRequest) => method === 'DELETE').map(({ body }) => body)
  expect(removed).toEqual([
    { prefixes: ['albums/a b.txt'] },
    { prefixes: ['albums/2026/a', 'albums/2026/b'] },
    { prefixes: ['albums/2026/c'] },
  ])
})
