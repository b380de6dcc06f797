import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answers, persona, type ApiRequest } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import type { OwnServer } from '../api/own-server'
import { VoteApiSection } from './vote-api-section'

const user = userEvent.setup()
const ID = 'a9d2b8de-0000-4000-8000-000000000001'
const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)]
let row = { id: ID, api_token: OLD, open_vote_api: false }
let isRefused = false
let requestCount = 0

beforeEach(async () => {
  row = { id: ID, api_token: OLD, open_vote_api: false }
  isRefused = false
  requestCount = 0
  answers({
    ...persona('owner'),
    servers: ({ body }: ApiRequest) => {
      row = { ...row, ...(body as object) }
      return new Response(null, { status: 204 })
    },
    servers_managed: () => Response.json(row),
    'rpc/regenerate_server_api_token': () => {
      requestCount += 1
      if (isRefused) return Response.json({ code: '42501', message: 'no' }, { status: 403 })
      row = { ...row, api_token: NEW }
      return Response.json(NEW)
    },
  })
  await signInAsAda()
})
afterEach(async () => {
  cleanup()
  await signOut()
})

async function open(): Promise<void> {
  await renderPage(<VoteApiSection server={{ id: ID } as OwnServer} userId={ADA.id} />)
  await screen.findByLabelText('Jeton de l’API')
}

it('hides the token until it is revealed', async () => {
  await open()
  expect(screen.queryByDisplayValue(OLD)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Afficher' }))
  expect(screen.getByDisplayValue(OLD)).toBeTruthy()
})

it('asks for confirmation before regenerating the token', async () => {
  await open()
  isRefused = true
  await user.click(screen.getByRole('button', { name: 'Régénérer' }))
  const sure = async () => within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Régénérer' })
  await user.click(await sure())
  await waitFor(() => expect(requestCount).toBe(1))
  expect(await screen.findByRole('alertdialog', { name: 'Régénérer le jeton\u202f?' })).toBeTruthy()
  expect(row.api_token).toBe(OLD)
  isRefused = false
  await user.click(await sure())
  await waitFor(() => expect(row.api_token).toBe(NEW))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

it('makes the vote API public', async () => {
  await open()
  await user.click(screen.getByRole('switch', { name: 'Rendre les pseudos publics' }))
  await waitFor(() => expect(row.open_vote_api).toBe(true))
  const isOn = () => screen.getByRole<HTMLInputElement>('switch').checked
  await waitFor(() => expect(isOn()).toBe(true))
})
