/**
 * Every page of the administration: what it draws when there are no rows, and when no row can be
 * read.
 */
import { cleanup, configure, screen } from '@testing-library/react'
import { pages } from 'virtual:pages/admin'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PAGE_KEYS, pageOf, type PageKey } from '@/lib/routing/pages'
import { answers, persona, refused, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { PageOf, partOf } from './page-part'

const ID = 'b0000000-0000-4000-8000-000000000001'
const KEYS = PAGE_KEYS.filter((key) => pageOf(key).area === 'admin')

// The code of a page is fetched when it is first shown.
configure({ asyncUtilTimeout: 15_000 })

async function open(key: PageKey, answer: (request: ApiRequest) => Response) {
  const admin = persona('admin')
  answers((request) => {
    const ownAnswer = Object.hasOwn(admin, request.name) ? admin[request.name] : undefined
    return typeof ownAnswer === 'function'
      ? ownAnswer(request)
      : ownAnswer === undefined
        ? answer(request)
        : Response.json(ownAnswer)
  })
  await signInAsAda()
  await renderPage(<PageOf pages={pages} match={{ key, params: { serverId: ID } }} />, {
    // The page of votes shows those of one server.
    path: `/admin?server=${ID}`,
  })
}

beforeAll(() => Promise.all(KEYS.map((key) => partOf(pages, key).load())), 60_000)

afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

const nothing = () => Response.json([], { headers: { 'content-range': '*/0' } })

test.each(KEYS)('%s renders without any data', async (key) => {
  await open(key, nothing)
  expect((await screen.findByRole('heading', { level: 1 })).textContent).not.toBe('')
  expect(screen.queryByText('Cette partie ne s’est pas affichée.')).toBeNull()
})

test.each(KEYS)('%s stays where nothing can be read', async (key) => {
  await open(key, () => refused('unavailable', 503))
  expect((await screen.findAllByRole('button', { name: 'Réessayer' })).length).toBeGreaterThan(0)
  expect(screen.queryByText('Cette partie ne s’est pas affichée.')).toBeNull()
})
