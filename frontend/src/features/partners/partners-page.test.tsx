import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { done, refusal, table, type Answer } from '@/testing/answers'
import {
  actionsOf,
  actOn,
  cellsOf,
  openDialog,
  openQuestion,
  press,
  refusesField,
  rowOf,
  user,
  write,
} from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { PartnerLinks } from './components/partner-links'
import { PartnersPage } from './partners-page'

const partner = (id: string, name: string, rest: object = {}) => ({
  id,
  name,
  url: `https://${id}.example/home`,
  logo_url: null,
  description: null,
  position: 10,
  is_active: true,
  backlink_url: `https://${id}.example/links`,
  backlink_found: true,
  backlink_fault: null,
  backlink_checked_at: '2026-11-20T10:05:00Z',
  backlink_asked_at: '2026-11-20T10:00:00Z',
  ...rest,
})
const ROWS = [
  partner('friend', 'Ami'),
  partner('quiet', 'Muet', { backlink_url: null, backlink_checked_at: null, is_active: false }),
  partner('gone', 'Parti', { backlink_fault: 'no_link', backlink_found: false }),
]

const open = (known: Record<string, Answer> = {}, path = '/admin/partners') =>
  openPage(<PartnersPage />, { partners_overseen: ROWS, partners: table(ROWS), ...known }, { path })

afterEach(closePage)

it('shows state and backlink check of partners', async () => {
  await open()
  const [name, position, link, checked, foot] = await cellsOf('Ami')
  expect([name, position, link, foot]).toEqual(['Amifriend.example', '10', 'En place', 'Affiché'])
  expect(checked).toMatch(/^20 novembre 2026 \d\d:05$/)
  expect((await cellsOf('Muet')).slice(2, 5)).toEqual(['Rien à vérifier', '–', 'Masqué'])
  expect((await cellsOf('Parti'))[2]).toBe('Absent de la page')
})

it.each([
  ['?link=good', { backlink_found: 'is.true', backlink_fault: 'is.null' }],
  [
    '?link=bad&sort=-backlink_checked_at',
    { backlink_fault: 'not.is.null', order: 'backlink_checked_at.desc.nullslast,id.asc' },
  ],
  ['?name=a_b', { name: String.raw`ilike.%a\_b%` }],
])('asks for what %s names', async (search, expected) => {
  const { lastQuery } = await open({}, `/admin/partners${search}`)
  await rowOf('Ami')
  expect(Object.fromEntries(lastQuery('partners_overseen') ?? [])).toMatchObject(expected)
})

it('offers the backlink check only with a page', async () => {
  const { sentTo } = await open({ 'rpc/check_backlink': done })
  const check = (await actionsOf('Muet')).find(({ textContent }) => textContent === 'Vérifier le lien maintenant')
  expect(check?.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Escape}')
  await actOn('Ami', 'Vérifier le lien maintenant')
  expect(await sentTo('rpc/check_backlink')).toEqual([{ p_partner_id: 'friend' }])
})

it('says when it could not be asked', async () => {
  await open({ 'rpc/check_backlink': refusal('42501', 403) })
  await actOn('Ami', 'Vérifier le lien maintenant')
  await toastSays('Impossible de vérifier le lien', 'danger', 'Vous n’avez pas les droits nécessaires.')
})

it('adds a partner, and judges its addresses before', async () => {
  const { sentTo, sentOf } = await open()
  await press('Ajouter un partenaire')
  const { dialog, getByRole } = await openDialog('Ajouter un partenaire')
  await write('Adresse du site', 'friend.example', dialog)
  await write('Page qui renvoie vers nous', 'javascript:alert(1)', dialog)
  await press('Enregistrer', dialog)
  const address = 'Saisissez une adresse complète, par exemple https://exemple.fr.'
  await refusesField('Nom', 'Ce champ est obligatoire.', dialog)
  await refusesField('Adresse du site', address, dialog)
  await refusesField('Page qui renvoie vers nous', address, dialog)
  expect(sentOf('partners')).toEqual([])
  await write('Nom', ' Nouveau ', dialog)
  await write('Adresse du site', ' https://new.example ', dialog)
  await write('Page qui renvoie vers nous', '', dialog)
  await user.click(getByRole('switch', { name: 'Affiché en pied de page' }))
  await press('Enregistrer', dialog)
  expect(await sentTo('partners')).toEqual([
    {
      name: 'Nouveau',
      url: 'https://new.example',
      logo_url: null,
      description: null,
      position: 100,
      backlink_url: null,
      is_active: false,
    },
  ])
  await toastSays('Partenaire enregistré', 'success')
})

it('asks before a partner goes', async () => {
  const { sentOf } = await open()
  await actOn('Parti', 'Supprimer')
  const { question } = await openQuestion('Supprimer « Parti » ?')
  expect(sentOf('partners')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Partenaire supprimé', 'success')
  expect(sentOf('partners').map(({ method, query }) => [method, query.get('id')])).toEqual([['DELETE', 'eq.gone']])
})

it('lists active partners in footer order', async () => {
  const { lastQuery } = await openPage(<PartnerLinks />, { partners: ROWS.slice(0, 2) })
  const foot = within(await screen.findByRole('navigation'))
  const links = foot
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')])
  expect(links).toEqual([
    ['Ami', 'https://friend.example/home', 'noopener'],
    ['Muet', 'https://quiet.example/home', 'noopener'],
  ])
  expect([lastQuery('partners')?.get('is_active'), lastQuery('partners')?.get('order')]).toEqual([
    'is.true',
    'position.asc,name.asc',
  ])
})

it.each([[[]], [refusal('57014', 500)]])('omits the footer heading without partners', async (answer) => {
  const { requestsOf } = await openPage(<PartnerLinks />, { partners: answer })
  await expect.poll(() => requestsOf('partners').length).toBe(1)
  expect(screen.queryByRole('navigation')).toBeNull()
})
