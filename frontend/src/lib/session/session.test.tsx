import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, persona } from '@/testing/answers'
import { signInAsAda, signOut, tokenAnswer } from '@/testing/sign-in'
import { SessionProvider, useSession, useSessionEvents, type SessionEvent } from './session'
import { SESSION_STORAGE_KEY, arrivalAt } from './session-store'

let logoutStatus: number
let level: string
let factors: object[]
let events: SessionEvent[]

beforeEach(() => {
  logoutStatus = 204
  level = 'aal1'
  factors = []
  events = []
  answers({
    ...persona('admin'),
    'auth/token': () => tokenAnswer({ level, factors }),
    'auth/logout': () => new Response(logoutStatus === 204 ? null : '{}', { status: logoutStatus }),
  })
})
afterEach(async () => {
  cleanup()
  logoutStatus = 204
  await signOut()
  vi.unstubAllGlobals()
})

function hear(event: SessionEvent): void {
  events.push(event)
}

function Probe() {
  const { status, user: who, profile, signOut: leave } = useSession()
  useSessionEvents(hear)
  return (
    <>
      <p>{`${status} ${who?.email ?? '-'} ${profile?.username ?? '-'} ${profile?.role ?? '-'}`}</p>
      <button type="button" onClick={() => void leave()}>
        leave
      </button>
    </>
  )
}

function open(arrival = arrivalAt(window.location)): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider arrival={arrival}>
        <Probe />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

const SIGNED_IN = 'in ada@example.org Ada admin'
const SIGNED_OUT = 'out - - -'

it('is signed out without a stored session', () => {
  open()
  expect(screen.getByText(SIGNED_OUT)).toBeTruthy()
})

it('requires the second factor before sign-in completes', async () => {
  factors = [{ id: 'f', factor_type: 'totp', status: 'verified' }]
  open()
  await signInAsAda()
  await waitFor(() => expect(events).toEqual(['second-step']))
  expect(screen.getByText(SIGNED_OUT)).toBeTruthy()
  // Verifying it completes the sign-in; a person who abandons it before gets no welcome toast.
  level = 'aal2'
  await signInAsAda()
  expect(await screen.findByText(SIGNED_IN)).toBeTruthy()
  expect(events).toEqual(['second-step', 'signed-in'])
})

it('asks again for an interrupted second factor', async () => {
  factors = [{ id: 'f', factor_type: 'totp', status: 'verified' }]
  await signInAsAda()
  open()
  await waitFor(() => expect(events).toEqual(['second-step']))
  expect(screen.getByText(SIGNED_OUT)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'leave' }))
  await waitFor(() => expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull())
  expect(events).toEqual(['second-step'])
})

it('restores a stored session without a greeting', async () => {
  await signInAsAda()
  open()
  expect(screen.getByText('loading - - -')).toBeTruthy()
  expect(await screen.findByText(SIGNED_IN)).toBeTruthy()
  // The client repeats the sign-in event whenever the tab becomes visible.
  await signInAsAda()
  expect(events).toEqual([])
})

it('announces sign-in and sign-out', async () => {
  open()
  await signInAsAda()
  expect(await screen.findByText(SIGNED_IN)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'leave' }))
  expect(await screen.findByText(SIGNED_OUT)).toBeTruthy()
  expect(events).toEqual(['signed-in', 'signed-out'])
})

it('tells an ended session from a sign-out', async () => {
  await signInAsAda()
  open()
  await screen.findByText(SIGNED_IN)
  await signOut()
  expect(await screen.findByText(SIGNED_OUT)).toBeTruthy()
  expect(events).toEqual(['session-ended'])
})

it('tells when signing out failed, and stays', async () => {
  await signInAsAda()
  open()
  await screen.findByText(SIGNED_IN)
  logoutStatus = 500
  await userEvent.click(screen.getByRole('button', { name: 'leave' }))
  await waitFor(() => expect(events).toEqual(['sign-out-failed']))
  expect(screen.getByText(SIGNED_IN)).toBeTruthy()
})

it('announces sign-in from an email link', async () => {
  window.history.replaceState(null, '', '/en?code=c')
  const arrival = arrivalAt(window.location)
  window.history.replaceState(null, '', '/en')
  await signInAsAda()
  open(arrival)
  expect(await screen.findByText(SIGNED_IN)).toBeTruthy()
  expect(events).toEqual(['signed-in'])
})

it('reports failed email links and cleans URL', async () => {
  window.history.replaceState(null, '', '/en?page=2&error_code=otp_expired#error_code=otp_expired')
  open()
  await waitFor(() => expect(events).toEqual(['link-failed']))
  expect(screen.getByText(SIGNED_OUT)).toBeTruthy()
  expect(window.location.pathname + window.location.search + window.location.hash).toBe('/en?page=2')
})
