import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { ShareButton } from './share-button'
import { currentToast } from './toast-store'

const PAGE = 'https://palmares.test/serveur/astra'
const show = () => renderPage(<ShareButton title="Astra" url={PAGE} />)

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('copies the address without a native share sheet', async () => {
  const user = userEvent.setup()
  await show()
  await user.click(screen.getByRole('button', { name: 'Partager' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Lien copié' }))
  expect(await navigator.clipboard.readText()).toBe(PAGE)
})

it('opens the native share sheet where available', async () => {
  const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue()
  const user = userEvent.setup()
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { share }))
  await show()
  await user.click(screen.getByRole('button', { name: 'Partager' }))
  expect(share).toHaveBeenCalledWith({ title: 'Astra', url: PAGE })
})
