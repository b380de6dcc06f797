import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { closeTagProposal, useAskForTag } from '@/entities/tag/proposal-dialog'
import { answers, persona, refused } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { TagProposalHost } from './tag-proposal-host'

const user = userEvent.setup()
let sent: unknown[]
/** Earlier proposals. */
let before: object[]
let answer: () => Response

beforeEach(() => {
  localStorage.clear()
  closeAuthDialog()
  closeTagProposal()
  sent = []
  before = []
  answer = () => new Response(null, { status: 201 })
  answers({
    ...persona('player'),
    tag_proposals: ({ method, body }) => {
      if (method === 'GET') return Response.json(before)
      sent.push(body)
      return answer()
    },
  })
})
afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

function Ask() {
  const ask = useAskForTag()
  return (
    <>
      <button onClick={ask}>ask</button>
      <p data-auth>{useAuthDialog()}</p>
      <TagProposalHost />
    </>
  )
}

it('asks guests to sign in first', async () => {
  await renderPage(<Ask />)
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'ask' }))
    expect(document.querySelector('[data-auth]')?.textContent).toBe('signIn')
  })
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('sends a proposal and keeps refused input', async () => {
  await signInAsAda()
  await renderPage(<Ask />)
  await user.click(screen.getByRole('button', { name: 'ask' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Proposer un tag' }, { timeout: 20_000 }))
  await user.click(dialog.getByRole('button', { name: 'Envoyer la proposition' }))
  const name = dialog.getByLabelText<HTMLInputElement>(/^Nom/)
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await user.type(name, 'Dragons')
  await user.click(dialog.getByRole('radio', { name: 'Vert' }))
  answer = () => refused('P0001', 400, { details: 'tag_proposal_limit_reached' })
  await user.click(dialog.getByRole('button', { name: 'Envoyer la proposition' }))
  expect(await dialog.findByText(/^Impossible de créer la proposition de tag\. Dix/)).toBeTruthy()
  expect(name.value).toBe('Dragons')
  answer = () => new Response(null, { status: 201 })
  await user.click(dialog.getByRole('button', { name: 'Envoyer la proposition' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ title: 'Proposition envoyée\u202f!' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent.at(-1)).toEqual({ name: 'Dragons', description: null, color: '#10B981', proposed_by: ADA.id })
})

it('lists earlier proposals with their decisions', async () => {
  const proposal = (name: string, status: string, admin_notes: string | null) => ({
    id: name,
    name,
    color: '#10B981',
    status,
    admin_notes,
    created_at: '2026-11-02T12:00:00Z',
    reviewed_at: status === 'pending' ? null : '2026-11-04T12:00:00Z',
  })
  before = [
    proposal('Dragons', 'pending', null),
    proposal('Elfes', 'approved', null),
    proposal('Nains', 'rejected', 'Il y a déjà « Fantasy ».'),
  ]
  await signInAsAda()
  await renderPage(<Ask />)
  await user.click(screen.getByRole('button', { name: 'ask' }))
  const region = within(await screen.findByRole('region', { name: 'Vos propositions' }, { timeout: 20_000 }))
  const rows = region.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows).toEqual([
    expect.stringMatching(/^Dragons.*En attente.*2 novembre/),
    expect.stringMatching(/^Elfes.*Approuvée.*4 novembre/),
    expect.stringMatching(/^Nains.*Refusée.*4 novembre.*Réponse.*Fantasy/),
  ])
})
