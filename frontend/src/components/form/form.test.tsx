import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { email, longest, optionalText, requiredText } from '@/lib/text/rules'
import { renderPage } from '@/testing/render-page'
import { Form } from './form'
import { PasswordField } from './password-field'
import { Submit } from './submit'
import { EmailField, TextField } from './text-field'
import { TextareaField } from './textarea-field'
import { useForm, type FormOptions } from './use-form'

const SCHEMA = v.object({
  name: requiredText(10),
  email: email(),
  note: optionalText(20),
  secret: v.pipe(v.string(), longest(50)),
})
type Sent = v.InferOutput<typeof SCHEMA>

const user = userEvent.setup()
const send = vi.fn<(values: Sent) => Promise<void>>()

type Options = Partial<FormOptions<v.InferInput<typeof SCHEMA>, Sent, void>>

function Trial({ summary, ...options }: Options & { summary?: boolean }) {
  const form = useForm({
    schema: SCHEMA,
    defaults: { name: '', email: '', note: '', secret: '' },
    submit: send,
    ...options,
  })
  return (
    <>
      <Form form={form} label="Essai" summary={summary}>
        <TextField name="name" label="Nom" />
        <EmailField name="email" label="Adresse" />
        <TextareaField name="note" label="Note" limit={20} optional />
        <PasswordField name="secret" label="Secret" purpose="new" />
        <Submit>Envoyer</Submit>
      </Form>
      <Link to="/ailleurs">Ailleurs</Link>
    </>
  )
}

beforeEach(() => {
  localStorage.clear()
  send.mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.restoreAllMocks())

async function fill(name = 'Ada', address = 'ada@example.org'): Promise<void> {
  await user.type(screen.getByLabelText('Nom'), name)
  await user.type(screen.getByLabelText('Adresse'), address)
}

const press = () => user.click(screen.getByRole('button', { name: 'Envoyer' }))

it('validates on blur and clears errors while typing', async () => {
  await renderPage(<Trial />)
  await user.click(screen.getByLabelText('Nom'))
  await user.click(screen.getByLabelText('Adresse'))
  expect(screen.queryByText('Ce champ est obligatoire.')).toBeNull()
  await user.type(screen.getByLabelText('Adresse'), 'ada')
  await user.click(screen.getByLabelText('Nom'))
  expect(await screen.findByText('Saisissez une adresse e-mail complète.')).toBeTruthy()
  expect(screen.getByLabelText('Adresse').getAttribute('aria-invalid')).toBe('true')
  await user.type(screen.getByLabelText('Adresse'), '@')
  expect(screen.queryByText('Saisissez une adresse e-mail complète.')).toBeNull()
})

it('focuses the first invalid field without sending', async () => {
  await renderPage(<Trial />)
  await user.type(screen.getByLabelText('Adresse'), 'ada@example.org')
  await press()
  expect(await screen.findByText('Ce champ est obligatoire.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Nom'))
  expect(send).not.toHaveBeenCalled()
})

it('submits parsed values once despite repeated clicks', async () => {
  let answer = (): void => {}
  send.mockReturnValue(new Promise((resolve) => (answer = resolve)))
  await renderPage(<Trial />)
  await fill(' Ada ', ' ada@example.org ')
  await press()
  await press()
  await user.type(screen.getByLabelText('Nom'), '{Enter}')
  expect(screen.getByRole('button', { name: 'Envoyer', busy: true })).toBeTruthy()
  answer()
  await waitFor(() => expect(screen.queryByRole('button', { busy: true })).toBeNull())
  expect(send.mock.calls.map(([values]) => values)).toEqual([
    { name: 'Ada', email: 'ada@example.org', note: '', secret: '' },
  ])
})

it('shows a refusal beside the field it names', async () => {
  send.mockRejectedValueOnce(new ApiError('23505', 'duplicate key', 409))
  await renderPage(<Trial refusals={{ '23505': 'name' }} words={() => 'Ce nom est pris.'} />)
  await fill()
  await press()
  expect(await screen.findByText('Ce nom est pris.')).toBeTruthy()
  const name = screen.getByLabelText<HTMLInputElement>('Nom')
  expect(name.value).toBe('Ada')
  expect(document.activeElement).toBe(name)
  await user.type(name, '2')
  expect(screen.queryByText('Ce nom est pris.')).toBeNull()
  await press()
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2))
})

it('shows a general refusal until the next submit', async () => {
  send.mockRejectedValueOnce(new ApiError('42501', 'permission denied', 403))
  await renderPage(<Trial />)
  await fill()
  await press()
  expect(await screen.findByText(/Vous n’avez pas les droits nécessaires/)).toBeTruthy()
  await press()
  await waitFor(() => expect(screen.queryByText(/Vous n’avez pas les droits nécessaires/)).toBeNull())
})

it('sends nothing offline and keeps the input', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await renderPage(<Trial />)
  await fill()
  await press()
  expect(await screen.findByText(/Vous êtes hors ligne/)).toBeTruthy()
  expect(send).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Nom').value).toBe('Ada')
})

it('counts emoji once and reports excess characters', async () => {
  await renderPage(<Trial />)
  await user.click(screen.getByLabelText(/^Note/))
  await user.paste('😀'.repeat(20))
  expect(screen.getByText('20 / 20')).toBeTruthy()
  await user.paste('ab')
  expect(screen.getByText('22 / 20')).toBeTruthy()
  expect(screen.getByText('2 caractères de trop.')).toBeTruthy()
  await user.tab()
  expect(await screen.findByText('20 caractères au maximum.')).toBeTruthy()
})

it('lists errors that lead to their fields', async () => {
  await renderPage(<Trial summary />)
  await press()
  const summary = await screen.findByRole('group', { name: '2 champs sont à corriger' })
  await waitFor(() => expect(document.activeElement).toBe(summary))
  await user.click(screen.getByRole('button', { name: 'Adresse' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Adresse'))
})

it('restores a draft without secrets until sent', async () => {
  const { unmount } = await renderPage(<Trial draft="essai" />)
  await fill()
  await user.type(screen.getByLabelText('Secret'), 'hush')
  unmount()
  expect(localStorage.getItem('palmares.draft.essai')).not.toContain('hush')
  const again = await renderPage(<Trial draft="essai" />)
  expect(await screen.findByText('Nous avons retrouvé votre brouillon.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Nom').value).toBe('Ada')
  await press()
  await waitFor(() => expect(send).toHaveBeenCalledOnce())
  again.unmount()
  expect(localStorage.getItem('palmares.draft.essai')).toBeNull()
})

it('asks before a link takes unsaved changes away', async () => {
  await renderPage(<Trial guard />)
  await fill()
  await user.click(screen.getByRole('link', { name: 'Ailleurs' }))
  expect(await screen.findByRole('heading', { name: 'Quitter sans enregistrer\u202f?' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Quitter sans enregistrer\u202f?' })).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Nom').value).toBe('Ada')
})
