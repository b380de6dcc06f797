import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { closeServerAdminDialog, openServerAdminDialog, type ServerAdminAction } from '@/entities/server/admin-dialog'
import { done, refusal, type Answer } from '@/testing/answers'
import { dialogCloses, openDialog, openQuestion, press, refusesField, user, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { ServerActHost } from './server-act-host'

async function open(action: ServerAdminAction, known: Record<string, Answer>) {
  const page = await openPage(<ServerActHost />, known)
  act(() => openServerAdminDialog(action, { id: 'shown', name: 'Loup & Garde', state: 'shown', owner_id: 'o1' }))
  return page
}

afterEach(async () => {
  act(closeServerAdminDialog)
  await closePage()
})

it.each([
  ['Refuser', 'refuse', 'est refusé'],
  ['Suspendre', 'suspend', 'est suspendu'],
] as const)('decides against a server only in words: %s', async (action, decision, words) => {
  const { sentTo, sentOf } = await open(decision, { 'rpc/judge_server': done })
  const { dialog } = await openDialog(`${action} « Loup & Garde »`)
  await press(action, dialog)
  await refusesField('Motif', 'Ce champ est obligatoire.', dialog)
  expect(sentOf('rpc/judge_server')).toEqual([])
  await write('Motif', ' Hors sujet ', dialog)
  await press(action, dialog)
  expect(await sentTo('rpc/judge_server')).toEqual([
    { p_server_id: 'shown', p_decision: decision, p_seen_state: 'shown', p_reason: 'Hors sujet' },
  ])
  await toastSays(`Loup & Garde ${words}`, 'success')
  await dialogCloses()
})

it('keeps the reason after a conflicting decision', async () => {
  await open('suspend', { 'rpc/judge_server': refusal('P0001', 400, { details: 'server_decided' }) })
  const { dialog, findByText, getByDisplayValue } = await openDialog()
  await write('Motif', 'Hors sujet', dialog)
  await press('Suspendre', dialog)
  expect(await findByText(/^Quelqu’un d’autre a déjà décidé/)).toBeTruthy()
  expect(getByDisplayValue('Hors sujet')).toBeTruthy()
})

it('gives Prestige for whole days', async () => {
  const { sentTo } = await open('prestige', { 'rpc/activate_prestige': done })
  const { dialog } = await openDialog('Prestige pour « Loup & Garde »')
  for (const [days, words] of [
    ['0', '1 au minimum.'],
    ['3651', '3 650 au maximum.'],
    ['', 'Saisissez un nombre.'],
  ] as const) {
    await write('Jours', days, dialog)
    await press('Activer Prestige', dialog)
    await refusesField('Jours', words, dialog)
  }
  await write('Jours', '45', dialog)
  await press('Activer Prestige', dialog)
  expect(await sentTo('rpc/activate_prestige')).toEqual([{ p_server_id: 'shown', p_days: 45 }])
  await toastSays('Prestige activé', 'success')
})

it('asks before removing Prestige and reports failure', async () => {
  const { sentOf } = await open('endPrestige', { 'rpc/deactivate_prestige': refusal('42501', 403) })
  const { question, getByText } = await openQuestion('Retirer Prestige à « Loup & Garde » ?')
  expect(getByText('Les jours restants sont perdus, sans remboursement.')).toBeTruthy()
  expect(sentOf('rpc/deactivate_prestige')).toEqual([])
  await press('Retirer Prestige', question)
  await toastSays('Impossible de retirer Prestige', 'danger')
  expect(screen.getByRole('alertdialog')).toBe(question)
})

const PEOPLE = [
  { id: 'o1', username: 'Olga', email: 'olga@example.test' },
  { id: 'p2', username: 'Pablo', email: null },
]

async function choosePablo() {
  const { dialog, getByRole } = await openDialog(/^Transférer/)
  const submit = getByRole<HTMLButtonElement>('button', { name: 'Changer de propriétaire' })
  expect(submit.disabled).toBe(true)
  await user.type(getByRole('combobox', { name: 'Nouveau propriétaire' }), 'a')
  await user.type(getByRole('combobox', { name: 'Nouveau propriétaire' }), 'b')
  const options = await screen.findAllByRole('option')
  // The current owner is not offered.
  expect(options.map(({ textContent }) => textContent)).toEqual(['Pablo'])
  await user.click(options[0] ?? dialog)
  await waitFor(() => expect(submit.disabled).toBe(false))
  await user.click(submit)
}

it('transfers a server to a searched account', async () => {
  const { sentTo, requestsOf } = await open('owner', { profiles: PEOPLE, 'rpc/reassign_server': done })
  await choosePablo()
  expect(await sentTo('rpc/reassign_server')).toEqual([{ p_server_id: 'shown', p_owner_id: 'p2' }])
  expect(requestsOf('profiles').map(({ query }) => query.get('username'))).toEqual(['ilike.%ab%'])
  await toastSays('Propriétaire changé', 'success')
  await dialogCloses()
})

it('says why a server stays with its owner', async () => {
  await open('owner', { profiles: PEOPLE, 'rpc/reassign_server': refusal('42501', 403) })
  await choosePablo()
  await toastSays('Impossible de changer le propriétaire', 'danger', 'Vous n’avez pas les droits nécessaires.')
  expect(screen.getByRole('dialog')).toBeTruthy()
})
