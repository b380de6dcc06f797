import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { WeeklyMailPage } from './weekly-mail-page'

const ask = vi.fn<(url: string, body: unknown) => Response>()

afterEach(() => vi.unstubAllGlobals())

it('unsubscribes on open and resubscribes on request', async () => {
  ask.mockImplementation((_url, body) => Response.json(body))
  vi.stubGlobal('fetch', (url: string, { body }: RequestInit) =>
    Promise.resolve(ask(url, typeof body === 'string' ? JSON.parse(body) : null)),
  )
  await renderPage(<WeeklyMailPage />, { path: '/weekly-mail?owner=o&token=t' })
  expect(await screen.findByRole('heading', { name: 'Vous ne recevrez plus ce récapitulatif' })).toBeTruthy()
  expect(ask.mock.calls[0]?.[0]).toMatch(/\/functions\/v1\/weekly-mail\?owner=o&token=t$/)
  expect(ask.mock.calls[0]?.[1]).toEqual({ wanted: false })
  await userEvent.setup().click(screen.getByRole('button', { name: 'Le recevoir à nouveau' }))
  expect(await screen.findByRole('heading', { name: 'Le récapitulatif hebdomadaire est de retour' })).toBeTruthy()
  expect(ask.mock.calls.at(-1)?.[1]).toEqual({ wanted: true })
})

it('refuses a link without a token', async () => {
  const fetched = vi.fn<() => Promise<Response>>()
  vi.stubGlobal('fetch', fetched)
  await renderPage(<WeeklyMailPage />, { path: '/weekly-mail?owner=o' })
  expect(screen.getByRole('heading', { name: 'Lien incomplet' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ouvrir mon profil' })).toBeTruthy()
  expect(fetched).not.toHaveBeenCalled()
})
