import { screen } from '@testing-library/react'
import { Route, Routes, useLocation } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ServerPage } from './server-page'

afterEach(() => vi.unstubAllGlobals())

function Place() {
  const { pathname, search } = useLocation()
  return <p>{pathname + search}</p>
}

const at = (path: string) =>
  renderPage(
    <Routes>
      <Route
        path="/serveur/:slug"
        element={
          <>
            <Place />
            <ServerPage />
          </>
        }
      />
    </Routes>,
    { path },
  )

it('redirects moved slugs and keeps the query', async () => {
  const slugs = new Map([['old', 'new']])
  const { requestsOf } = answers({
    servers_public: [],
    'rpc/moved_server_slug': ({ query }: { query: URLSearchParams }) =>
      Response.json(slugs.get(query.get('p_slug') ?? '') ?? null),
  })
  await at('/serveur/old?vote=1')
  expect(await screen.findByText('/serveur/new?vote=1')).toBeTruthy()
  expect(await screen.findByRole('heading', { level: 1, name: 'Serveur introuvable' })).toBeTruthy()
  expect(requestsOf('rpc/moved_server_slug').map(({ query }) => query.get('p_slug'))).toEqual(['old', 'new'])
})
