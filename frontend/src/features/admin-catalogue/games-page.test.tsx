import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import * as files from '@/lib/browser/download'
import { refusal, refused, table, type Answer } from '@/testing/answers'
import {
  actionsOf,
  actOn,
  cellsOf,
  dialogCloses,
  fieldOf,
  openDialog,
  openQuestion,
  press,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { GamesPage } from './games-page'

const game = (id: string, name: string, sort_order: number, rest: object = {}) => ({
  id,
  name,
  slug: name.toLowerCase(),
  logo_url: null,
  backdrop_url: null,
  is_steam: false,
  status_protocol: 'source',
  default_port: null,
  nickname_pattern: null,
  accent_color: null,
  sort_order,
  is_active: true,
  ...rest,
})
const ROWS = [
  game('g1', 'Rust', 10, { default_port: 28015 }),
  game('g2', 'Ark', 20, { is_active: false, status_protocol: 'source' }),
  game('g3', 'Minecraft', 20, { status_protocol: 'minecraft', nickname_pattern: '^[A-Za-z]+$' }),
]

const open = (known: Record<string, Answer> = {}, path = '/admin/games') =>
  openPage(<GamesPage />, { games: table(ROWS), ...known }, { path })

afterEach(closePage)

it('lists each game with protocol, port and state', async () => {
  await open()
  expect(await cellsOf('Rust')).toEqual(['Rust', '10', 'rust', 'source', '28015', 'Ouvert', ''])
  expect(await cellsOf('Ark')).toEqual(['Ark', '20', 'ark', 'source', '–', 'Fermé', ''])
})

it.each([
  ['?state=closed', { is_active: 'eq.false', order: 'sort_order.asc.nullslast,id.asc', limit: '50' }],
  ['?state=open&name=ru%25', { is_active: 'eq.true', name: String.raw`ilike.%ru\%%` }],
  ['?sort=-name&size=100&page=3', { order: 'name.desc.nullslast,id.asc', limit: '100', offset: '200' }],
  ['?sort=password&state=burnt&size=7&page=0', { order: 'sort_order.asc.nullslast,id.asc', limit: '50', offset: '0' }],
])('filters by %s and ignores invalid values', async (search, expected) => {
  const { requestsOf } = await open({}, `/admin/games${search}`)
  await rowOf('Rust')
  const query = Object.fromEntries(requestsOf('games')[0]?.query ?? [])
  expect(query).toMatchObject(expected)
  expect('is_active' in query).toBe('is_active' in expected)
})

it('moving a game up separates equal positions', async () => {
  const { sentOf } = await open()
  await actOn('Minecraft', 'Monter')
  await waitFor(() => expect(sentOf('games')).toHaveLength(1))
  expect(sentOf('games').map(({ query, body }) => [query.get('id'), body])).toEqual([['eq.g2', { sort_order: 21 }]])
})

it('stops reordering after the first refused update', async () => {
  const { sentOf } = await open({ games: table(ROWS, refusal('42501', 403)) })
  await actOn('Rust', 'Descendre')
  await toastSays('Impossible d’enregistrer l’ordre', 'danger')
  expect(sentOf('games')).toHaveLength(1)
})

it('cannot move games past either end', async () => {
  await open()
  const state = (items: HTMLElement[]) =>
    items
      .filter(({ textContent }) => /Monter|Descendre/.test(textContent))
      .map((item) => `${item.textContent} ${item.getAttribute('aria-disabled') ?? 'false'}`)
  expect(state(await actionsOf('Rust'))).toEqual(['Monter true', 'Descendre false'])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(state(await actionsOf('Minecraft'))).toEqual(['Monter false', 'Descendre true'])
})

it.each(['?name=r', '?state=open', '?sort=name', '?sort=-sort_order'])(
  'offers no reordering with the query %s',
  async (search) => {
    await open({}, `/admin/games${search}`)
    const offered = (await actionsOf('Rust')).map(({ textContent }) => textContent)
    expect(offered).toEqual(['Modifier', 'Supprimer'])
  },
)

it('sends a new game with what is usual', async () => {
  const { sentTo } = await open()
  await press('Ajouter un jeu')
  const { dialog, getByText } = await openDialog('Ajouter un jeu')
  expect(getByText('L’adresse de sa page en dépend et ne changera plus.')).toBeTruthy()
  await write('Nom', ' Valheim ', dialog)
  await user.selectOptions(fieldOf('Protocole', dialog), 'Source (Valve)')
  await write('Port habituel', '2 456', dialog)
  await press('Enregistrer', dialog)
  expect(await sentTo('games')).toEqual([
    {
      name: 'Valheim',
      logo_url: null,
      backdrop_url: null,
      is_steam: false,
      status_protocol: 'source',
      default_port: 2456,
      nickname_pattern: null,
      accent_color: null,
      sort_order: 100,
      is_active: true,
    },
  ])
  await toastSays('Jeu enregistré', 'success')
  await dialogCloses()
})

it('judges port, pattern and place beside their fields', async () => {
  const { sentOf } = await open()
  await actOn('Minecraft', 'Modifier')
  const { dialog, queryByText } = await openDialog(/^Modifier/)
  expect(queryByText(/ne changera plus/)).toBeNull()
  await write('Port habituel', '70000', dialog)
  await write('Format des pseudos', '([a-z', dialog)
  await write('Ordre', '1,5', dialog)
  await press('Enregistrer', dialog)
  await refusesField('Port habituel', '65 535 au maximum.', dialog)
  await refusesField('Format des pseudos', 'Cette expression régulière n’est pas valide.', dialog)
  await refusesField('Ordre', 'Saisissez un nombre entier.', dialog)
  expect(sentOf('games')).toEqual([])
})

it.each([
  ['23505', 'Nom', 'Un jeu porte déjà ce nom.'],
  ['2201B', 'Format des pseudos', 'Cette expression régulière n’est pas valide.'],
])('shows database error %s beside field "%s"', async (code, label, words) => {
  await open({ games: table(ROWS, refusal(code, 400)) })
  await actOn('Rust', 'Modifier')
  const { dialog } = await openDialog()
  await press('Enregistrer', dialog)
  await refusesField(label, words, dialog)
})

it('closes a game with its switch', async () => {
  const { sentTo, sentOf } = await open()
  await actOn('Rust', 'Modifier')
  const { dialog, getByRole } = await openDialog()
  await user.click(getByRole('switch', { name: 'Ouvert' }))
  await press('Enregistrer', dialog)
  expect(await sentTo('games')).toEqual([expect.objectContaining({ is_active: false, default_port: 28015 })])
  expect(sentOf('games')[0]?.query.get('id')).toBe('eq.g1')
})

it('says why a game with servers stays', async () => {
  const { sentOf } = await open({ games: table(ROWS, refusal('23503', 409)) })
  await actOn('Rust', 'Supprimer')
  const { question, getByText } = await openQuestion(/Rust/)
  expect(getByText('Vous ne pouvez pas supprimer un jeu qui a des serveurs.')).toBeTruthy()
  expect(sentOf('games')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Impossible de supprimer le jeu', 'danger', 'Des serveurs utilisent ce jeu : fermez-le plutôt.')
  expect(screen.getByRole('alertdialog')).toBe(question)
})

it('retries a failed load and clears filters', async () => {
  let answer = (): Response => refused('57014', 500)
  await open({ games: () => answer() }, '/admin/games?state=closed')
  expect(await screen.findByText('Impossible de charger les jeux.')).toBeTruthy()
  answer = () => Response.json([], { headers: { 'content-range': '*/0' } })
  await press('Réessayer')
  await press('Effacer les filtres')
  expect(await screen.findByText('Aucun jeu pour le moment.')).toBeTruthy()
  expect(shownAddress()).toBe('/admin/games')
})

it('says when the file could not be made', async () => {
  const saved = vi.spyOn(files, 'download').mockImplementation(() => undefined)
  await open({ games: ({ query }) => (query.has('limit') ? Response.json(ROWS) : refused('57014', 500)) })
  await rowOf('Rust')
  await press('Exporter en CSV')
  await toastSays('Impossible de préparer le fichier', 'danger')
  expect(saved).not.toHaveBeenCalled()
})
