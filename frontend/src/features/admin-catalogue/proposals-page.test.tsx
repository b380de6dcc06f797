import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { done, refusal, table, type Answer } from '@/testing/answers'
import {
  cellsOf,
  dialogCloses,
  fieldOf,
  named,
  openDialog,
  plain,
  press,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { ProposalsPage } from './proposals-page'

const proposal = (id: string, name: string, rest: object = {}) => ({
  id,
  name,
  description: `Serveurs ${name}`,
  color: '#10B981',
  status: 'pending',
  admin_notes: null,
  created_at: '2026-11-20T10:00:00Z',
  reviewed_at: null,
  proposer: { username: 'olga' },
  reviewer: null,
  ...rest,
})
const ROWS = [
  proposal('p1', 'Cozy'),
  proposal('p2', 'Hardcore', { status: 'approved', reviewer: { username: 'Ada' }, admin_notes: 'Bonne idée' }),
  proposal('p3', 'Parkour', { status: 'rejected', reviewer: null, proposer: null, description: null }),
]

const open = (known: Record<string, Answer> = {}, path = '/admin/tag-proposals') =>
  openPage(<ProposalsPage />, { tag_proposals: table(ROWS), ...known }, { path })

afterEach(closePage)

it('offers decisions only on pending proposals', async () => {
  await open({}, '/admin/tag-proposals?status=all')
  const waiting = await rowOf(/^Cozy/)
  expect(within(waiting).getByRole('button', { name: 'Accepter Cozy' })).toBeTruthy()
  expect(within(waiting).getByRole('button', { name: 'Refuser Cozy' })).toBeTruthy()
  expect(await cellsOf(/^Hardcore/)).toEqual([
    'Hardcore',
    'Serveurs Hardcore',
    'olga',
    '20 nov. 2026',
    'AcceptéeAda – Bonne idée',
  ])
  expect(await cellsOf(/^Parkour/)).toEqual(['Parkour', '–', '–', '20 nov. 2026', 'Refusée'])
})

it.each([
  ['', 'eq.pending'],
  ['?status=approved', 'eq.approved'],
  ['?status=rejected', 'eq.rejected'],
  ['?status=all', null],
  ['?status=lost', 'eq.pending'],
])('filters by status, pending by default: %j', async (search, status) => {
  const { lastQuery } = await open({}, `/admin/tag-proposals${search}`)
  await rowOf(/^Cozy/)
  expect(lastQuery('tag_proposals')?.get('status')).toBe(status)
})

it('chooses another state by the address', async () => {
  const { lastQuery } = await open()
  await rowOf(/^Cozy/)
  await user.selectOptions(fieldOf('Propositions'), 'Refusée')
  await waitFor(() => expect(lastQuery('tag_proposals')?.get('status')).toBe('eq.rejected'))
  expect(shownAddress()).toBe('/admin/tag-proposals?status=rejected')
})

it('creates a tag from the corrected proposal', async () => {
  const { sentTo } = await open({ 'rpc/approve_tag_proposal': done })
  await press('Accepter Cozy')
  const { dialog, getAllByRole } = await openDialog(/Cozy/)
  await write('Nom affiché', 'Tranquille', dialog)
  await user.click(getAllByRole('radio', { name: 'English' })[1] ?? dialog)
  await write('Description', '', dialog)
  await press('Accepter', dialog)
  expect(await sentTo('rpc/approve_tag_proposal')).toEqual([
    {
      p_proposal_id: 'p1',
      p_name: 'Cozy',
      p_name_fr: 'Tranquille',
      p_name_en: 'Cozy',
      p_name_es: 'Cozy',
      p_description_fr: 'Serveurs Cozy',
      p_description_en: '',
      p_description_es: 'Serveurs Cozy',
      p_color: '#10B981',
    },
  ])
  await toastSays('Tag approuvé !', 'success')
  await dialogCloses()
})

it('approval includes the message to the author', async () => {
  const { sentTo } = await open({ 'rpc/approve_tag_proposal': done })
  await press('Accepter Cozy')
  const { dialog } = await openDialog()
  await write('Message à l’auteur', ' Merci ! ', dialog)
  await press('Accepter', dialog)
  const [sent] = await sentTo('rpc/approve_tag_proposal')
  expect(sent).toMatchObject({ p_admin_notes: 'Merci !' })
})

it('refuses only with a reason its author reads', async () => {
  const { sentTo, sentOf } = await open({ 'rpc/reject_tag_proposal': done })
  await press('Refuser Cozy')
  const { dialog } = await openDialog(/Refuser/)
  await press('Refuser', dialog)
  await refusesField('Motif', 'Ce champ est obligatoire.', dialog)
  await write('Motif', 'x'.repeat(1001), dialog)
  await press('Refuser', dialog)
  await refusesField('Motif', '1 000 caractères au maximum.', dialog)
  expect(sentOf('rpc/reject_tag_proposal')).toEqual([])
  await write('Motif', 'Trop proche d’un autre.', dialog)
  await press('Refuser', dialog)
  expect(await sentTo('rpc/reject_tag_proposal')).toEqual([
    { p_proposal_id: 'p1', p_admin_notes: 'Trop proche d’un autre.' },
  ])
  await toastSays('Proposition rejetée', 'success')
})

it('reports taken names and already decided proposals', async () => {
  let code = '23505'
  await open({ 'rpc/approve_tag_proposal': () => refusal(code, 400)() })
  await press('Accepter Cozy')
  const { dialog, findByText } = await openDialog()
  await press('Accepter', dialog)
  await refusesField('Nom de référence', 'Un tag porte déjà ce nom.', dialog)
  code = '22023'
  await write('Nom de référence', 'Calme', dialog)
  await press('Accepter', dialog)
  expect(await findByText(named('Quelqu’un d’autre a déjà traité cette proposition.'))).toBeTruthy()
})

it('says that nothing waits', async () => {
  await open({ tag_proposals: [] })
  expect(plain((await screen.findByText(/Aucune/)).textContent)).toBe('Aucune proposition en attente.')
})
