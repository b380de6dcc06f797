import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { solveChallengeWorkers } from 'altcha-lib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeVoteDialog, openVoteDialog } from '@/entities/vote/dialog'
import { startVoteRound } from '@/entities/vote/round'
import { answers, refused } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { VoteDialogHost } from './vote-dialog-host'

vi.mock('altcha-lib', () => ({ solveChallengeWorkers: vi.fn() }))

const SERVER = {
  id: 'a9d2b8de-0000-4000-8000-000000000001',
  name: 'Astra &amp; Co',
  logoUrl: null,
  monthlyVotes: 41,
  game: 'Rust',
}
const CHALLENGE = {
  parameters: { algorithm: 'PBKDF2/SHA-256', nonce: '00', salt: '00', cost: 1, keyLength: 32, keyPrefix: '00' },
  signature: 'ff',
}
const RECEIPT = {
  votedAt: 1_800_000_000,
  nextVoteAt: 1_800_007_200,
  nextVoteSeconds: 7200,
  totalVotes: 500,
  monthlyVotes: 42,
}

const other = (relation: string, name: string, votes: number) => ({
  relation,
  id: `a9d2b8de-0000-4000-8000-${name.length.toString().padStart(12, '0')}`,
  slug: name.toLowerCase(),
  name,
  logo_image_url: null,
  ip_address: relation === 'self' ? 'play.astra.fr' : null,
  is_online: true,
  online_players: 1,
  monthly_votes: votes,
  game_rank: relation === 'self' ? 2 : null,
})
const NEIGHBOURS = [
  other('self', 'Astra', 42),
  other('ahead', 'Borealis', 50),
  other('behind', 'Cen', 40),
  other('similar', 'Borealis', 50),
]

const user = userEvent.setup()
const ask = vi.fn<(name: string, body: unknown) => Response | Promise<Response>>()

/** Responses of the two functions. */
function answerVoteWith(body: object, status: number): void {
  ask.mockImplementation((name) => {
    if (name === 'functions/captcha-challenge') return Response.json(CHALLENGE)
    if (name === 'rpc/get_server_neighbours') return Response.json(NEIGHBOURS)
    return Response.json(body, { status })
  })
}

function votesSent(): unknown[] {
  return ask.mock.calls.filter(([name]) => name === 'functions/vote').map(([, body]) => body)
}

beforeEach(() => {
  localStorage.clear()
  ask.mockReset()
  answers(({ name, body }) => ask(name, body))
  vi.mocked(solveChallengeWorkers).mockReset().mockResolvedValue({ counter: 7, derivedKey: '00ff' })
})
afterEach(() => {
  act(closeVoteDialog)
  cleanup()
  vi.unstubAllGlobals()
})

async function open(server: Parameters<typeof openVoteDialog>[0] = SERVER): Promise<void> {
  await renderPage(<VoteDialogHost />)
  act(() => openVoteDialog(server))
}

it('records a vote and remembers the nickname', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await open()
  expect(screen.getByRole('heading', { name: 'Voter pour Astra & Co' })).toBeTruthy()
  expect(await screen.findByText('Vérification anti-robot terminée')).toBeTruthy()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), ' Ada_99 ')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))

  expect(await screen.findByRole('heading', { name: 'Vote enregistré' })).toBeTruthy()
  expect(screen.getByText('42')).toBeTruthy()
  expect(screen.getByRole('timer').textContent).toMatch(/^(2:00:00|1:59:\d\d)$/)
  const payload = btoa(JSON.stringify({ challenge: CHALLENGE, solution: { counter: 7, derivedKey: '00ff' } }))
  expect(votesSent()).toEqual([{ serverId: SERVER.id, nickname: 'Ada_99', captcha: payload }])
  expect(localStorage.getItem('palmares.nickname')).toBe('Ada_99')
})

it('shows the new place and next server', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText('Astra & Co est n° 2 sur Rust.')).toBeTruthy()
  expect(screen.getByText(/Encore 8 votes pour rattraper Borealis/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copier l’adresse' }))
  expect(await navigator.clipboard.readText()).toBe('play.astra.fr')

  await user.click(screen.getByRole('button', { name: 'Voter pour Borealis' }))
  expect(screen.getByRole('heading', { name: 'Voter pour Borealis' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Ada')
  expect(document.activeElement?.textContent).toBe('Voter maintenant')
})

it('shows the place without a game name', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await open({ ...SERVER, game: null })
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada{Enter}')
  expect(await screen.findByText('Astra & Co est n° 2 de son jeu.')).toBeTruthy()
})

it('confirms the vote when neighbours fail to load', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  const known = ask.getMockImplementation() ?? (() => Response.error())
  ask.mockImplementation((name, body) =>
    name === 'rpc/get_server_neighbours' ? refused('XX000', 500) : known(name, body),
  )
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada{Enter}')
  expect(await screen.findByRole('heading', { name: 'Vote enregistré' })).toBeTruthy()
  expect(screen.queryByText(/n° 2/)).toBeNull()
})

it('runs a vote round and skips voted servers', async () => {
  localStorage.setItem('palmares.nickname', 'Ada')
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  const target = (n: number) => ({ ...SERVER, id: SERVER.id.slice(0, -1) + n, name: `Server ${n}` })
  localStorage.setItem('palmares.next-votes', JSON.stringify({ [target(3).id]: Date.now() + 3_600_000 }))
  await renderPage(<VoteDialogHost />)
  act(() => startVoteRound([1, 2, 3, 4].map(target)))
  expect(screen.getByText('Vote 1 sur 4')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Voter maintenant')
  await user.keyboard('{Enter}')
  const next = await screen.findByRole('button', { name: /^Suivant.: Server 2$/ })
  expect(document.activeElement).toBe(next)
  await user.keyboard('{Enter}')
  expect(screen.getByRole('heading', { name: 'Voter pour Server 2' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Passer' }))
  expect(screen.getByRole('heading', { name: 'Voter pour Server 4' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Passer' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByRole('heading', { name: 'Vote enregistré' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Suivant/ })).toBeNull()
  expect(votesSent()).toHaveLength(2)
  // The round ends with the dialog.
  act(closeVoteDialog)
  act(() => openVoteDialog(target(4)))
  expect(screen.queryByText(/sur 4/)).toBeNull()
})

it('opens with the wait after a vote', async () => {
  localStorage.setItem('palmares.next-votes', JSON.stringify({ [SERVER.id]: Date.now() + 3_600_000 }))
  await open()
  expect(screen.getByRole('heading', { name: 'Déjà voté' })).toBeTruthy()
  expect(screen.queryByLabelText('Votre pseudo en jeu')).toBeNull()
  expect(ask).not.toHaveBeenCalled()
})

it('shows the wait when a vote is refused', async () => {
  answerVoteWith({ success: false, code: 'already_voted', message: 'Already voted', nextVoteSeconds: 5400 }, 429)
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByRole('heading', { name: 'Déjà voté' })).toBeTruthy()
  expect(screen.getByText(/Revenez dans 1\s+heure\s+30\s+minutes/)).toBeTruthy()
})

it('judges the name before anything is sent', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await open({ ...SERVER, nicknamePattern: '[A-Za-z0-9_]{3,16}' })
  const name = screen.getByLabelText('Votre pseudo en jeu')
  const button = screen.getByRole('button', { name: 'Voter maintenant' })
  await user.type(name, 'a')
  await user.click(button)
  expect(screen.getByText('Le pseudo doit contenir entre 2 et 50 caractères.')).toBeTruthy()
  await user.type(name, '<b>')
  expect(screen.queryByText('Le pseudo doit contenir entre 2 et 50 caractères.')).toBeNull()
  await user.click(button)
  expect(screen.getByText('Caractères non autorisés dans le pseudo.')).toBeTruthy()
  await user.clear(name)
  await user.type(name, 'Ada Lovelace')
  await user.click(button)
  expect(screen.getByText('Ce pseudo ne respecte pas les règles de ce jeu.')).toBeTruthy()
  expect(votesSent()).toEqual([])
})

it('solves a new challenge after a refusal', async () => {
  answerVoteWith({ success: false, code: 'captcha_failed', message: 'The captcha was not passed' }, 400)
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText(/Elle vient d’être relancée/)).toBeTruthy()
  await waitFor(() => expect(vi.mocked(solveChallengeWorkers).mock.calls).toHaveLength(2))
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Ada')
})

it('delays the vote until the challenge is solved', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  let solved = (_: { counter: number; derivedKey: string }): void => {}
  vi.mocked(solveChallengeWorkers).mockReturnValue(new Promise((resolve) => (solved = resolve)))
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada{Enter}')
  expect(
    await screen.findByRole('button', { name: 'Chargement en cours, patientez un instant.', busy: true }),
  ).toBeTruthy()
  expect(votesSent()).toEqual([])
  act(() => solved({ counter: 1, derivedKey: '00' }))
  expect(await screen.findByRole('heading', { name: 'Vote enregistré' })).toBeTruthy()
})

it.each([
  [
    'offline',
    () => Promise.reject(new TypeError('Failed to fetch')),
    /Vous êtes hors ligne, ou le site est injoignable/,
  ],
  ['too many', () => Response.json({ code: 'too_many_requests' }, { status: 429 }), /Trop de demandes/],
  ['the site', () => Response.json({ code: 'x' }, { status: 503 }), /Le site ne répond pas/],
])('names why no challenge could be had (%s), and tries again', async (_, fail, words) => {
  ask.mockImplementation(() => fail())
  await open()
  expect(await screen.findByText(words, {}, { timeout: 5000 })).toBeTruthy()
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await user.click(screen.getByRole('button', { name: 'Réessayer' }))
  expect(await screen.findByText('Vérification anti-robot terminée')).toBeTruthy()
})

it('shows offline once and keeps the nickname', async () => {
  ask.mockRejectedValue(new TypeError('Failed to fetch'))
  await open()
  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada{Enter}')
  expect(await screen.findByText(/Votre vote n’est pas parti/, {}, { timeout: 5000 })).toBeTruthy()
  expect(screen.getAllByText(/hors ligne/)).toHaveLength(1)
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Ada')
  act(closeVoteDialog)
  act(() => openVoteDialog(SERVER))
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Ada')
})

it('leaves the form alone while seconds pass', async () => {
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  const timers = vi.spyOn(globalThis, 'setInterval')
  await open()
  await screen.findByText('Vérification anti-robot terminée')
  expect(timers.mock.calls.filter(([, period]) => period === 1000)).toEqual([])
  timers.mockRestore()
})

it('sends the ticket and explains its refusal', async () => {
  localStorage.setItem('palmares.nickname', 'Remembered')
  answerVoteWith({ success: false, code: 'ticket_spent', message: 'Used already' }, 400)
  await open({ ...SERVER, ticket: 'the-ticket-of-this-visit', nickname: 'Ada_99' })
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Ada_99')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText(/Ce lien de vote a déjà servi/)).toBeTruthy()
  expect(votesSent()).toMatchObject([{ nickname: 'Ada_99', ticket: 'the-ticket-of-this-visit' }])
})

it('does not prefill invalid nicknames', async () => {
  localStorage.setItem('palmares.nickname', 'Remembered')
  answerVoteWith({ success: true, data: RECEIPT }, 200)
  await open({ ...SERVER, nickname: '<script>' })
  expect(screen.getByLabelText<HTMLInputElement>('Votre pseudo en jeu').value).toBe('Remembered')
})
