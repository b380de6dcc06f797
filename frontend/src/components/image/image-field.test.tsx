import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { useForm } from '@/components/form/use-form'
import { renderPage } from '@/testing/render-page'
import { ImageField } from './image-field'
import { pictureProblem, sizeOf } from './picture-file'
import type { UploadOptions } from '@/lib/api/upload'

// Images cannot be decoded in tests; the mock passes on what the dialog would crop.
vi.mock('./crop-dialog', () => ({
  CropDialog: ({ onCut }: { onCut: (picture: Blob) => void }) => (
    <button type="button" onClick={() => onCut(new Blob(['cut'], { type: 'image/webp' }))}>
      Utiliser
    </button>
  ),
}))

const SCHEMA = v.object({ logo: v.string() })
const upload = vi.fn<(picture: Blob, sending: UploadOptions) => Promise<string>>()
const user = userEvent.setup({ applyAccept: false })

function Trial({ logo = '' }: { logo?: string }) {
  const form = useForm({ schema: SCHEMA, defaults: { logo }, submit: () => Promise.resolve() })
  return (
    <Form form={form}>
      <ImageField name="logo" label="Logo" size={{ width: 96, height: 96 }} upload={upload} />
    </Form>
  )
}

beforeEach(() => {
  upload.mockReset()
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => {}
})

const pick = (type: string, bytes = 3) =>
  user.upload(screen.getByTestId('logo-file'), new File([new Uint8Array(bytes)], 'picture', { type }))

it('refuses wrong file types and oversized pictures', async () => {
  expect(pictureProblem({ type: 'image/png', size: 5_242_880 })).toBeNull()
  expect(pictureProblem({ type: 'image/png', size: 5_242_881 })).toBe('size')
  await renderPage(<Trial />)
  await pick('image/gif')
  expect(screen.getByText('Type de fichier invalide : JPG, PNG ou WebP.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Utiliser' })).toBeNull()
})

it('is never enlarged', () => {
  expect(sizeOf({ width: 48, height: 48 }, { width: 96, height: 96 })).toEqual({ width: 48, height: 48 })
  expect(sizeOf({ width: 960, height: 960 }, { width: 96, height: 96 })).toEqual({ width: 96, height: 96 })
})

it('retries a failed upload with the same picture', async () => {
  upload.mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce('/pictures/logo.webp')
  await renderPage(<Trial />)
  await pick('image/png')
  await user.click(await screen.findByRole('button', { name: 'Utiliser' }))
  await user.click(await screen.findByRole('button', { name: 'Envoyer de nouveau' }))
  expect((await screen.findByAltText('Image actuelle')).getAttribute('src')).toBe('/pictures/logo.webp')
  expect(upload.mock.calls[0]?.[0]).toBe(upload.mock.calls[1]?.[0])
  await user.click(screen.getByRole('button', { name: 'Retirer' }))
  expect(screen.queryByAltText('Image actuelle')).toBeNull()
})

it('shows upload progress and can be aborted', async () => {
  upload.mockImplementation(
    (_, { signal, onProgress }) =>
      new Promise((_resolve, reject) => {
        onProgress(0.4)
        signal.addEventListener('abort', () => reject(new DOMException('off', 'AbortError')))
      }),
  )
  await renderPage(<Trial logo="/pictures/old.webp" />)
  await pick('image/webp')
  await user.click(await screen.findByRole('button', { name: 'Utiliser' }))
  const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Envoi de l’image' })
  await waitFor(() => expect(bar.value).toBe(40))
  await user.click(screen.getByRole('button', { name: 'Annuler' }))
  expect(await screen.findByRole('button', { name: 'Remplacer' })).toBeTruthy()
  expect(screen.getByAltText('Image actuelle').getAttribute('src')).toBe('/pictures/old.webp')
})
