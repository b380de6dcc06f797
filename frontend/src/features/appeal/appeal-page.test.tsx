import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, refusal, type Answer } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { AppealPage } from './appeal-page'

async function send(answer: Answer) {
  const api = answers({ 'functions/appeal': answer })
  await renderPage(<AppealPage />, { path: '/appeal?decision=d&token=t' })
  await userEvent.type(screen.getByLabelText(/est-elle une erreur/), 'C’était mon frère.')
  await userEvent.click(screen.getByRole('button', { name: 'Envoyer le recours' }))
  return api
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each([
  ['filed', 'Recours envoyé'],
  ['known', 'Cette décision est déjà contestée'],
  ['closed', 'Cette décision ne peut plus être contestée'],
])('sends the appeal and shows outcome %s', async (outcome, title) => {
  const { requestsOf } = await send({ outcome })
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  const [request] = requestsOf('functions/appeal')
  expect(request?.query.toString()).toBe('decision=d&token=t')
  expect(request?.body).toEqual({ message: 'C’était mon frère.' })
})

it.each(['/appeal', '/appeal?decision=d'])('shows no form for incomplete link %s', async (path) => {
  await renderPage(<AppealPage />, { path })
  expect(screen.getByRole('heading', { level: 1, name: 'Contester une décision' })).toBeTruthy()
  expect(screen.getByText(/Le lien est incomplet/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('keeps the message when the token is invalid', async () => {
  await send(refusal('invalid_token', 401))
  expect(await screen.findByText(/Le lien est incomplet/)).toBeTruthy()
  expect(screen.getByDisplayValue('C’était mon frère.')).toBeTruthy()
})
