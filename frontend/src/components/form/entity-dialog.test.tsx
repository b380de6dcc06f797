import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import * as v from 'valibot'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { requiredText } from '@/lib/text/rules'
import { dialogCloses, fieldOf, openDialog, openQuestion, press, refusesField, user, write } from '@/testing/controls'
import { closePage, openPage } from '@/testing/open-page'
import { EntityDialog } from './entity-dialog'
import { TextField } from './text-field'

const SCHEMA = v.object({ name: requiredText(10) })
const send = vi.fn<(values: { name: string }) => Promise<void>>()

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ouvrir
      </button>
      {isOpen && (
        <EntityDialog
          title="Renommer"
          action="Enregistrer"
          onClose={() => setOpen(false)}
          schema={SCHEMA}
          defaults={{ name: 'Ada' }}
          submit={send}
          refusals={{ '23505': 'name' }}
          words={({ code }) => `Refus ${code}`}
        >
          <TextField name="name" label="Nom" firstFocus />
        </EntityDialog>
      )}
    </>
  )
}

async function open() {
  send.mockReset().mockResolvedValue(undefined)
  await openPage(<Page />, {})
  await press('Ouvrir')
  return (await openDialog('Renommer')).dialog
}

afterEach(closePage)

it('focuses its first field and closes when unchanged', async () => {
  await open()
  await waitFor(() => expect(document.activeElement).toBe(fieldOf('Nom')))
  await user.keyboard('{Escape}')
  await dialogCloses()
})

it.each([
  ['Escape', () => user.keyboard('{Escape}')],
  ['its button', () => press('Fermer')],
])('confirms before %s discards unsaved input', async (_, close) => {
  const dialog = await open()
  await write('Nom', 'Grace', dialog)
  await close()
  const { question } = await openQuestion(/Quitter sans enregistrer/)
  await press('Annuler', question)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(fieldOf('Nom').value).toBe('Grace')
})

it('discards the input once leaving is confirmed', async () => {
  await write('Nom', 'Grace', await open())
  await user.keyboard('{Escape}')
  await press('Quitter', (await openQuestion()).question)
  await dialogCloses()
  await press('Ouvrir')
  await openDialog('Renommer')
  expect(fieldOf('Nom').value).toBe('Ada')
  expect(send).not.toHaveBeenCalled()
})

it('closes without a question once it is sent', async () => {
  const dialog = await open()
  await write('Nom', ' Grace ', dialog)
  await press('Enregistrer', dialog)
  await dialogCloses()
  expect(send).toHaveBeenCalledExactlyOnceWith({ name: 'Grace' })
})

it('still asks before closing after a refusal', async () => {
  const dialog = await open()
  send.mockRejectedValueOnce(new ApiError('23505', 'taken', 409))
  await write('Nom', 'Grace', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Nom', 'Refus 23505', dialog)
  await user.keyboard('{Escape}')
  expect(await openQuestion()).toBeTruthy()
})

it('says above its button what names no field', async () => {
  const dialog = await open()
  send.mockRejectedValueOnce(new ApiError('42501', 'no', 403))
  await press('Enregistrer', dialog)
  expect(await screen.findByText('Refus 42501')).toBeTruthy()
  expect(fieldOf('Nom', dialog).getAttribute('aria-invalid')).toBeNull()
})
