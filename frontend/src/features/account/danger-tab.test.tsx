import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { ApiError } from '@/lib/api/errors'
import { renderPage } from '@/testing/render-page'
import { DangerTab } from './danger-tab'

const { deleteAccount } = vi.hoisted(() => ({ deleteAccount: vi.fn() }))
vi.mock('./api/delete-account', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { deleteAccount })
})

const user = userEvent.setup()

beforeEach(async () => {
  vi.mocked(deleteAccount).mockReset().mockResolvedValue(undefined)
  await renderPage(<DangerTab username="Ada" />, { language: 'es', path: '/es/profile' })
  await user.click(screen.getByRole('button', { name: 'Eliminar mi cuenta' }))
})

it('deletes only when the name was typed', async () => {
  const field = screen.getByLabelText('Escribe «Ada» para confirmar')
  await user.type(field, 'ada')
  await user.click(screen.getByRole('button', { name: 'Eliminar definitivamente' }))
  expect(screen.getByText('Escribe exactamente «Ada».')).toBeTruthy()
  expect(deleteAccount).not.toHaveBeenCalled()
  await user.clear(field)
  await user.type(field, 'Ada')
  await user.click(screen.getByRole('button', { name: 'Eliminar definitivamente' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Cuenta eliminada' }))
})

it('says why the account stays', async () => {
  vi.mocked(deleteAccount).mockRejectedValue(new ApiError('42501', 'The last founder must stay one', 403))
  await user.type(screen.getByLabelText('Escribe «Ada» para confirmar'), 'Ada')
  await user.click(screen.getByRole('button', { name: 'Eliminar definitivamente' }))
  expect(await screen.findByText('Eres el único fundador: nombra a otro antes de irte.')).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
})
