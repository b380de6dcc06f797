import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { PictureAddressField } from '@/components/image/picture-address-field'
import { moment, optionalWebAddress } from '@/lib/text/rules'
import { answers, refused } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { DateTimeField } from './date-time-field'
import { Form } from './form'
import { Submit } from './submit'
import { useForm } from './use-form'

const SCHEMA = v.object({ at: moment({ from: '2026-01-01T00:00:00Z' }), picture: optionalWebAddress() })
const send = vi.fn<(values: v.InferOutput<typeof SCHEMA>) => Promise<void>>(() => Promise.resolve())
const user = userEvent.setup()

function Trial() {
  const form = useForm({ schema: SCHEMA, defaults: { at: '2026-07-01T16:00:00.000Z', picture: '' }, submit: send })
  return (
    <Form form={form}>
      <DateTimeField name="at" label="Début" help="Ou plus tard." />
      <PictureAddressField name="picture" label="Image" optional />
      <Submit>Envoyer</Submit>
    </Form>
  )
}

it('date field shows site time and stores UTC', async () => {
  await renderPage(<Trial />)
  const field = screen.getByLabelText<HTMLInputElement>('Début')
  expect(field.value).toBe('2026-07-01T18:00')
  const described = field.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toMatch(
    /^Heure de Paris\. Ou plus tard\. 1er juillet 2026, 18:00$/,
  )
  fireEvent.change(field, { target: { value: '2026-12-24T20:30' } })
  await user.click(screen.getByRole('button', { name: 'Envoyer' }))
  await waitFor(() => expect(send).toHaveBeenCalledWith({ at: '2026-12-24T19:30:00.000Z', picture: '' }))
})

it('refuses a moment out of bounds in words', async () => {
  await renderPage(<Trial />)
  fireEvent.change(screen.getByLabelText('Début'), { target: { value: '2025-12-24T20:30' } })
  await user.click(screen.getByRole('button', { name: 'Envoyer' }))
  expect(await screen.findByText('Choisissez une date plus tardive.')).toBeTruthy()
})

it('picture field shows the copy or the error', async () => {
  const { requestsOf } = answers({
    'functions/copy-picture': ({ body }) =>
      (body as { address: string }).address.endsWith('/a.png')
        ? Response.json({ success: true, data: { path: '/copies/a.png' } })
        : refused('picture_unreachable', 400),
  })
  await renderPage(<Trial />)
  const field = screen.getByLabelText(/^Image/)
  fireEvent.change(field, { target: { value: 'example.org/a.png' } })
  expect(screen.queryByRole('img')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Envoyer' }))
  expect(await screen.findByText('Saisissez une adresse complète, par exemple https://exemple.fr.')).toBeTruthy()
  fireEvent.change(field, { target: { value: 'https://example.org/a.png' } })
  const picture = await screen.findByRole('img', { name: 'Image actuelle' })
  expect(picture.getAttribute('src')).toBe('/copies/a.png')
  fireEvent.change(field, { target: { value: 'https://example.org/none.png' } })
  expect(await screen.findByText('Impossible de récupérer l’image à cette adresse.')).toBeTruthy()
  expect(screen.queryByRole('img')).toBeNull()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(requestsOf('functions/copy-picture')).toHaveLength(2)
  vi.unstubAllGlobals()
})
