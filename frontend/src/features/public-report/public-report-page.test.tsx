import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { PublicReportPage } from './public-report-page'

vi.mock('@/lib/browser/proof-of-work/solve', () => ({ solveChallenge: () => Promise.resolve('solved') }))

const ID = 'a9d2b8de-0000-4000-8000-000000000001'
const user = userEvent.setup()
let sent: unknown[]
let answer: () => Response

beforeEach(() => {
  sent = []
  answer = () => Response.json({ filed: true })
  answers({
    servers_public: ({ query }) =>
      Response.json(
        query.get('slug') === 'eq.gone' ? [] : [{ id: ID, slug: 'astra', name: 'Astra', logo_image_url: null }],
      ),
    reviews_public: () => Response.json([{ id: ID, server_id: ID, comment: 'Des insultes' }]),
    'functions/captcha-challenge': () => Response.json({ parameters: {} }),
    'functions/content-notice': ({ body }) => {
      sent.push(body)
      return answer()
    },
  })
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

async function fill(): Promise<void> {
  await user.click(await screen.findByRole('radio', { name: 'Droits d’auteur' }))
  await user.type(screen.getByRole('textbox', { name: /Votre explication/ }), 'La bannière est une image à nous.')
  await user.type(screen.getByRole('textbox', { name: /Votre nom/ }), 'Ada')
  await user.type(screen.getByRole('textbox', { name: /Votre e-mail/ }), 'ada@example.test')
  await user.click(screen.getByRole('checkbox', { name: /bonne foi/ }))
}
const send = () => user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))

it('accepts a report without an account', async () => {
  await renderPage(<PublicReportPage />, { path: `/signaler?server=${ID}` })
  expect(await screen.findByRole('link', { name: 'Astra' })).toBeTruthy()
  await send()
  expect(await screen.findByText('Choisissez un motif.', { selector: 'p' })).toBeTruthy()
  await fill()
  await send()
  expect(await screen.findByText(/accusé de réception part à ada@example.test/)).toBeTruthy()
  expect(sent).toEqual([
    {
      serverId: ID,
      reason: 'copyright',
      explanation: 'La bannière est une image à nous.',
      name: 'Ada',
      email: 'ada@example.test',
      language: 'fr',
      captcha: 'solved',
    },
  ])
})

it('keeps the entered report after a refusal', async () => {
  answer = () => Response.json({ success: false, code: 'too_many_requests', message: '' }, { status: 429 })
  await renderPage(<PublicReportPage />, { path: `/signaler?review=${ID}` })
  expect(await screen.findByText('Des insultes')).toBeTruthy()
  await fill()
  await send()
  expect(await screen.findByText('Vous avez déjà envoyé plusieurs signalements. Réessayez demain.')).toBeTruthy()
  expect(screen.getByDisplayValue('La bannière est une image à nous.')).toBeTruthy()
  answer = () => Response.json({ filed: true })
  await send()
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'Signalement reçu' }))
  expect(sent.at(-1)).toMatchObject({ serverId: ID, reviewId: ID })
})

it('accepts only page addresses of this site', async () => {
  await renderPage(<PublicReportPage />, { path: '/signaler' })
  const field = screen.getByRole('textbox', { name: /Adresse de la page/ })
  await user.type(field, 'https://ailleurs.example/truc')
  await user.click(screen.getByRole('button', { name: 'Continuer' }))
  expect(await screen.findByText(/pas celle d’une fiche/)).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'http://palmares.test/en/server/astra')
  await user.click(screen.getByRole('button', { name: 'Continuer' }))
  expect(await screen.findByRole('link', { name: 'Astra' })).toBeTruthy()
})

it('says that the page is not displayed', async () => {
  await renderPage(<PublicReportPage />, { path: '/signaler?server=gone' })
  expect(await screen.findByText('Cette page n’est pas affichée')).toBeTruthy()
})
