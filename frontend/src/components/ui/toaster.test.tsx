import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { currentToast, dismissToast, showToast } from './toast-store'
import { Toaster } from './toaster'

const user = userEvent.setup()

afterEach(() => act(dismissToast))

it('shows one message at a time, the newest', async () => {
  await renderPage(<Toaster />)
  act(() => showToast({ title: 'Adresse copiée', description: 'play.astra.example', tone: 'success' }))
  expect(screen.getByText('Adresse copiée')).toBeTruthy()
  act(() => showToast({ title: 'Vote enregistré' }))
  expect(screen.queryByText('Adresse copiée')).toBeNull()
  expect(screen.getByText('Vote enregistré')).toBeTruthy()
})

it('names its keyboard shortcut and can be closed', async () => {
  await renderPage(<Toaster />)
  act(() => showToast({ title: 'Vote enregistré', duration: 60_000 }))
  expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Fermer' }))
  expect(currentToast()?.open).toBe(false)
})
