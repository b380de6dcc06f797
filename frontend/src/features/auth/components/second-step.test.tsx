import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { renderPage } from '@/testing/render-page'
import type { SecondFactor } from '../api/second-step'
import { SecondStep } from './second-step'

let read: () => Promise<SecondFactor[]>
const { showCode, textCode } = vi.hoisted(() => ({ showCode: vi.fn(), textCode: vi.fn() }))
vi.mock('../api/second-step', async (original) => {
  const { sending } = await import('@/testing/sending')
  return {
    ...sending(await original<object>(), { showCode, textCode }),
    secondFactorsQuery: () => ({ queryKey: ['account', 'own', 'factors'], queryFn: () => read() }),
  }
})

const APP: SecondFactor = { id: 'app', kind: 'totp', name: 'My app' }
const PHONE: SecondFactor = { id: 'phone', kind: 'phone', name: 'My phone' }
const user = userEvent.setup()
const giveUp = vi.fn()

beforeEach(() => {
  giveUp.mockReset()
  vi.mocked(showCode).mockReset().mockResolvedValue(undefined)
  vi.mocked(textCode).mockReset().mockResolvedValue('challenge')
})

async function open(factors: SecondFactor[]): Promise<void> {
  read = () => Promise.resolve(factors)
  await renderPage(<SecondStep onGiveUp={giveUp} />, { language: 'en' })
}

it('sends the app code without spaces', async () => {
  await open([APP])
  await user.type(await screen.findByLabelText('Verification code'), '123 456')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
  expect(vi.mocked(showCode).mock.calls[0]?.[0]).toEqual({ factorId: 'app', code: '123456', challengeId: null })
})

it('sends nothing before the code is whole', async () => {
  await open([APP])
  await user.type(await screen.findByLabelText('Verification code'), '12345')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
  expect(screen.getByText('Enter all the digits of the code.')).toBeTruthy()
  expect(showCode).not.toHaveBeenCalled()
})

it('wrong code shows an error and is cleared', async () => {
  vi.mocked(showCode).mockRejectedValue(new ApiError('mfa_verification_failed', 'Invalid TOTP code entered', 422))
  await open([APP])
  const field = await screen.findByLabelText<HTMLInputElement>('Verification code')
  await user.type(field, '000000')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
  expect(await screen.findByText('The code is incorrect or has expired.')).toBeTruthy()
  expect(field.value).toBe('')
})

it('verifies a texted code against its challenge', async () => {
  await open([PHONE])
  await user.click(await screen.findByRole('button', { name: 'Text me the code' }))
  await user.type(await screen.findByLabelText('Verification code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
  expect(vi.mocked(showCode).mock.calls[0]?.[0]).toEqual({
    factorId: 'phone',
    code: '123456',
    challengeId: 'challenge',
  })
})

it('lets users switch factors or cancel', async () => {
  await open([APP, PHONE])
  await user.click(await screen.findByRole('button', { name: 'Use instead: My phone' }))
  expect(screen.getByRole('button', { name: 'Text me the code' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use instead: My app' }))
  expect(screen.getByLabelText('Verification code')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel and sign out' }))
  expect(giveUp).toHaveBeenCalledOnce()
})

it('reloads factors after a failed request', async () => {
  let tries = 0
  read = () => (tries++ === 0 ? Promise.reject(new ApiError('offline', 'no', 0)) : Promise.resolve([APP]))
  await renderPage(<SecondStep onGiveUp={giveUp} />, { language: 'en' })
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByLabelText('Verification code')).toBeTruthy())
})
