/**
 * A case on the moderators' page: what is shown with it, and what is asked before a decision
 * against somebody.
 */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { done, refusal, type Answer } from '@/testing/answers'
import {
  dialogCloses,
  fieldOf,
  openDialog,
  openQuestion,
  plain,
  press,
  refusesField,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { ModerationPage } from './moderation-page'

const PERSON = {
  id: 'p1',
  username: 'mallory',
  role: 'user',
  language: 'es',
  created_at: '2026-01-02T10:00:00Z',
  total_votes: 1234,
  is_banned: true,
  banned_until: null,
  servers: 2,
  reviews: 0,
  warnings: [
    { id: 'w1', reason: 'Insultes', created_at: '2026-03-01T10:00:00Z', expires_at: null, is_active: false },
    { id: 'w2', reason: 'Publicité', created_at: '2026-10-01T10:00:00Z', expires_at: null, is_active: true },
  ],
  decisions: [
    {
      id: 'd1',
      kind: 'server',
      label: 'Tom &amp; Co',
      decision: 'refused',
      sanction: null,
      reason: 'spam',
      decided_at: '2026-02-01T10:00:00Z',
      taken_back_at: '2026-02-02T10:00:00Z',
    },
  ],
  same_address: [{ id: 'p9', username: 'eve', is_banned: true, created_at: '' }],
}
const SERVER = {
  id: 's1',
  slug: 'loup-garde',
  game: 'Rust',
  owner: 'p1',
  created_at: '',
  name: 'Loup &amp; Garde',
  description: 'Un **grand** serveur',
  website_url: 'https://loup.example',
  discord_url: null,
  video_url: null,
  logo_image_url: null,
  banner_image_url: null,
  description_image_url: null,
  backdrop_url: null,
}

interface Parts {
  kind?: string
  file?: object
  case?: object
  known?: Record<string, Answer>
}

async function open({ kind = 'server', file = {}, case: rest = {}, known = {} }: Parts = {}) {
  const row = {
    id: 'c1',
    kind,
    label: 'Loup &amp; Garde',
    review_id: null,
    opened_at: '2026-11-26T10:00:00Z',
    decision: null,
    sanction: null,
    decided_at: null,
    taken_back_at: null,
    ...rest,
  }
  const page = await openPage(
    <ModerationPage />,
    {
      moderation_cases: [
        { ...row, person: { username: 'mallory' } },
        { ...row, id: 'c2', label: 'Second', person: null },
      ],
      'rpc/get_moderation_case': ({ body }) =>
        Response.json({
          case: {
            ...row,
            ...((body as { p_case_id: string }).p_case_id === 'c2' && { id: 'c2', label: 'Second' }),
            statement: null,
            message: null,
            before: null,
            decided_by_name: null,
            ...rest,
          },
          server: null,
          review: null,
          reports: [],
          appealed: null,
          history: [],
          person: null,
          ...file,
        }),
      'rpc/decide_case': done,
      'rpc/undo_decision': done,
      ...known,
    },
    { path: '/admin/moderation' },
  )
  await screen.findByRole('heading', { level: 2, name: 'Loup & Garde' })
  return page
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
})
afterEach(closePage)

const textOf = (name: string) => plain(screen.getByRole('region', { name }).textContent)

it('shows the account history of the person', async () => {
  await open({ file: { person: PERSON } })
  const text = textOf('mallory')
  for (const words of [
    'Exclu',
    'Inscription2 janvier 2026',
    'Votes1 234',
    '2 avertissements',
    'Insultes 1er mars 2026 · terminé',
    'Publicité 1er octobre 2026',
    'Tom & Co · refusé 1er février 2026 · décision retirée',
    'Comptes utilisant la même adresse',
  ])
    expect(text).toContain(words)
  expect(screen.getByRole('link', { name: 'eve' }).getAttribute('href')).toBe('/admin/users?name=eve')
})

it('shows the listing without clickable links', async () => {
  await open({ file: { server: SERVER } })
  const sheet = within(screen.getByRole('region', { name: 'Fiche du serveur' }))
  expect(sheet.getByText('grand').tagName).toBe('STRONG')
  expect(sheet.getByText('https://loup.example').closest('a')).toBeNull()
  expect(screen.getByRole('heading', { level: 2, name: 'Loup & Garde' })).toBeTruthy()
})

it('shows edited fields before and after', async () => {
  const before = { name: 'Loup', description: '', website_url: 'https://loup.example' }
  await open({ kind: 'edit', file: { server: SERVER }, case: { before } })
  const changes = [...screen.getByRole('region', { name: 'Fiche du serveur' }).querySelectorAll('del, ins')]
  expect(changes.map((each) => `${each.tagName} ${each.textContent}`)).toEqual([
    'DEL Loup',
    'INS Loup & Garde',
    'DEL vide',
    'INS Un **grand** serveur',
  ])
})

it('lists reports with reporter, reason and date', async () => {
  const report = { custom_reason: null, status: 'pending', reporter: null, notice: null }
  await open({
    kind: 'report',
    file: {
      reports: [
        { ...report, id: 'r1', reason: 'spam', reporter: 'bob', created_at: '2026-11-26T11:00:00Z' },
        {
          ...report,
          id: 'r2',
          reason: 'later_reason',
          created_at: '2026-11-25T12:00:00Z',
          notice: { name: 'Carole', email: 'carole@example.test', explanation: 'Ma photo' },
        },
        {
          ...report,
          id: 'r3',
          reason: 'other',
          custom_reason: 'Faux &lt;joueurs&gt;',
          created_at: '2026-11-24T12:00:00Z',
        },
      ],
    },
  })
  const lines = within(screen.getByRole('region', { name: '3 signalements' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => plain(textContent))).toEqual([
    'Spam ou publicité bob · il y a 1 heure',
    'Autre motif Carole · hierMa photoSans compte · répondre à carole@example.test',
    'Autre motif Personne · avant-hierFaux <joueurs>',
  ])
})

it('shows the decision and can undo it', async () => {
  const { sentTo } = await open({
    case: { decision: 'refused', decided_at: '2026-11-25T10:00:00Z', decided_by_name: 'Olga', statement: 'Doublon' },
  })
  expect(plain(screen.getByText(/Olga a décidé/).textContent)).toMatch(
    /^Olga a décidé : refusé, le 25 novembre 2026 \d\d:00\.$/,
  )
  expect(screen.getByText('Doublon')).toBeTruthy()
  expect(screen.queryByRole('group', { name: 'Décider' })).toBeNull()
  await press('Annuler')
  expect(await sentTo('rpc/undo_decision')).toEqual([{ p_case_id: 'c1' }])
  await toastSays('Loup & Garde : remis en attente', 'success')
})

it.each([
  ['server', { decision: 'settled', decided_at: '2026-11-25T10:00:00Z' }],
  ['appeal', { decision: 'upheld', decided_at: '2026-11-25T10:00:00Z' }],
  ['server', { decision: 'refused', decided_at: '2026-11-25T10:00:00Z', taken_back_at: '2026-11-25T11:00:00Z' }],
])('takes nothing back of a %s with %j', async (kind, rest) => {
  await open({ kind, case: rest })
  expect(screen.getByText(/a décidé/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Annuler' })).toBeNull()
})

it.each([
  ['server', null, ['Approuver 1', 'Refuser 2']],
  ['edit', null, ['Approuver 1', 'Annuler la modification 2', 'Suspendre le serveur 3']],
  ['review', 'r1', ['Approuver 1', 'Masquer l’avis 2']],
  ['report', 'r1', ['Classer sans suite 1', 'Masquer l’avis 2']],
  ['appeal', null, ['Accepter le recours 1', 'Maintenir la décision 2']],
])('offers the decisions for a %s with shortcuts', async (kind, review_id, offered) => {
  await open({ kind, case: { review_id } })
  const buttons = within(screen.getByRole('group', { name: 'Décider' })).getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
})

it('decision dialog shows the unescaped server name', async () => {
  await open()
  await press(/^Refuser/)
  expect(await openDialog('Refuser « Loup & Garde »')).toBeTruthy()
})

it('shows the recipient’s language or a deleted account', async () => {
  await open({ file: { person: PERSON } })
  await press(/^Refuser/)
  expect((await openDialog()).getByText('mallory lit l’espagnol.')).toBeTruthy()
  await closePage()
  await open()
  await press(/^Refuser/)
  const { getByText, queryByLabelText } = await openDialog()
  expect(getByText((text) => plain(text) === 'Ce compte n’existe plus : personne ne recevra ce message.')).toBeTruthy()
  expect(queryByLabelText(/^Sanction/)).toBeNull()
})

async function refuse(known: Record<string, Answer> = {}) {
  const page = await open({ file: { person: PERSON }, known })
  await press(/^Refuser/)
  const { dialog, findByText } = await openDialog()
  await user.selectOptions(fieldOf('Règle', dialog), 'Spam ou publicité')
  await write('Message à la personne', 'Une publicité.', dialog)
  return { ...page, dialog, findByText, send: () => press('Refuser', dialog) }
}
const SENT = { p_case_id: 'c1', p_decision: 'refused', p_reason: 'spam', p_statement: 'Une publicité.' }

it('bans with the decision for some days', async () => {
  const { sentTo, dialog, send } = await refuse()
  await user.selectOptions(fieldOf('Sanction', dialog), 'Exclusion')
  await write('Durée en jours', '0', dialog)
  await send()
  await refusesField('Durée en jours', '1 au minimum.', dialog)
  await write('Durée en jours', '30', dialog)
  await send()
  expect(await sentTo('rpc/decide_case')).toEqual([{ ...SENT, p_sanction: 'ban', p_days: 30 }])
  await dialogCloses()
})

it('omits the duration of a removed sanction', async () => {
  const { sentTo, dialog, send } = await refuse()
  await user.selectOptions(fieldOf('Sanction', dialog), 'Exclusion')
  await write('Durée en jours', '0', dialog)
  await user.selectOptions(fieldOf('Sanction', dialog), 'Aucune')
  await send()
  expect(await sentTo('rpc/decide_case')).toEqual([SENT])
})

it.each([
  ['case_decided', /^Quelqu’un d’autre vient de décider/],
  ['appeal_of_own_decision', /^C’est votre propre décision/],
])('keeps the words where it is refused: %s', async (details, words) => {
  const { send, findByText, dialog } = await refuse({ 'rpc/decide_case': refusal('P0001', 400, { details }) })
  await send()
  expect(await findByText((text) => words.test(plain(text)))).toBeTruthy()
  expect(fieldOf('Message à la personne', dialog).value).toBe('Une publicité.')
})

it('asks before the words are closed', async () => {
  await refuse()
  await user.keyboard('{Escape}')
  expect(await openQuestion(/Quitter/)).toBeTruthy()
})

it('ignores decision shortcuts while typing', async () => {
  const { sentOf } = await open()
  await user.type(screen.getByRole('searchbox', { name: 'Serveur' }), '1z')
  await press(/^Refuser/)
  await openDialog()
  await user.keyboard('1')
  expect(sentOf('rpc/decide_case')).toEqual([])
})

it('moves through the queue with shortcuts', async () => {
  await open()
  await user.keyboard('k')
  expect(shownAddress()).toBe('/admin/moderation')
  await user.keyboard('j')
  expect(await screen.findByRole('heading', { level: 2, name: 'Second' })).toBeTruthy()
  expect(shownAddress()).toBe('/admin/moderation?case=c2')
  await user.keyboard('jk')
  await waitFor(() => expect(shownAddress()).toBe('/admin/moderation?case=c1'))
  expect(screen.getByRole('link', { current: true }).textContent).toContain('Loup & Garde')
})

it('appeal decision requires a message, no rule', async () => {
  const appealed = { decision: 'refused', decided_by_name: null, reason: 'spam', statement: 'Une publicité.' }
  const { sentTo } = await open({
    kind: 'appeal',
    case: { message: 'Ce n’est pas vrai.' },
    file: { appealed, person: PERSON },
  })
  expect(textOf('Recours')).toContain('Ce n’est pas vrai.Décisionrefusé')
  await press(/^Maintenir/)
  const { dialog, queryByLabelText } = await openDialog(/^Maintenir/)
  expect(queryByLabelText('Règle')).toBeNull()
  await press('Maintenir la décision', dialog)
  await refusesField('Message à la personne', 'Ce champ est obligatoire.', dialog)
  await write('Message à la personne', 'La règle 3 vaut pour tous.', dialog)
  await press('Maintenir la décision', dialog)
  expect(await sentTo('rpc/decide_case')).toEqual([
    { p_case_id: 'c1', p_decision: 'upheld', p_statement: 'La règle 3 vaut pour tous.' },
  ])
})
