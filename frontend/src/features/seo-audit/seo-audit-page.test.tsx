import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { plain, press, user } from '@/testing/controls'
import { closePage, openPage, shownAddress } from '@/testing/open-page'
import { SeoAuditPage } from './seo-audit-page'

const finding = (rule: string, severity: string, found = '', wanted = '1') => ({ rule, severity, found, wanted })
const page = (language: string, findings: object[], passed: string[] = ['status']) => ({
  language,
  address: `/${language}/serveur/astra`,
  status: 200,
  findings,
  passed,
})
const AUDIT = {
  madeAt: '2026-11-20T10:05:00Z',
  counts: { pages: 1234, errors: 2, warnings: 1, fine: 98 },
  site: { findings: [finding('status', 'error', '404', '200')], passed: [] },
  kinds: [
    {
      kind: 'server',
      pages: [
        page('fr', [finding('titleLength', 'warning', '71', '60'), finding('titleThere', 'error')]),
        page('en', [], ['status', 'language']),
      ],
    },
    { kind: 'home', pages: [page('fr', [])] },
    { kind: 'missing', pages: [] },
    { kind: 'a-later-kind', pages: [page('es', [finding('language', 'warning')])] },
  ],
}

const read = (path = '/audit-seo', answer: () => Response | Promise<Response> = () => Response.json(AUDIT)) =>
  openPage(<SeoAuditPage />, { '/api/seo-audit': () => answer() }, { path })

const names = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

afterEach(closePage)

it('shows audit figures and date', async () => {
  await read()
  await screen.findByText('Plan du site et robots')
  const tiles = screen.getAllByRole('term').map(({ parentElement }) => plain(parentElement?.textContent ?? ''))
  expect(tiles.slice(0, 4)).toEqual(['Erreurs2', 'Avertissements1', 'Règles respectées98', 'Pages vérifiées1 234'])
  expect(plain(screen.getByText(/^Audit du/).textContent)).toMatch(/^Audit du 20 novembre 2026, \d\d:05$/)
})

it('labels page kinds and missing pages', async () => {
  await read()
  await screen.findByText('Plan du site et robots')
  expect(names()).toEqual(['Serveur le plus récent', 'Classement', 'Page introuvable', 'a-later-kind'])
  expect(screen.getByText('Aucune page de ce type pour le moment')).toBeTruthy()
})

it('says in words how each language stands', async () => {
  await read()
  await screen.findByText('Plan du site et robots')
  const states = screen.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))
  expect(states).toEqual(['fr, Erreur', 'en, Conforme', 'fr, Conforme', 'es, Avertissement'])
})

it('sorts findings by severity with expected values', async () => {
  await read()
  const kind = within((await screen.findByText('Serveur le plus récent')).closest('details') ?? document.body)
  const rules = kind.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => plain(textContent))
  expect(rules).toHaveLength(2)
  expect(rules[0]).toMatch(/^TitreErreur.*Trouvérien.*Attendu1$/)
  expect(rules[1]).toMatch(/^Longueur du titreAvertissement.*Trouvé71.*Attendu60$/)
  expect(kind.getByText('2 règles respectées')).toBeTruthy()
})

it.each([
  ['?show=error', ['Serveur le plus récent'], true],
  ['?show=warning', ['Serveur le plus récent', 'a-later-kind'], false],
  ['?show=fine', ['Classement'], false],
  ['?show=everything', ['Serveur le plus récent', 'Classement', 'Page introuvable', 'a-later-kind'], true],
])('shows what %s asks for', async (search, expected, hasSite) => {
  await read(`/audit-seo${search}`)
  await screen.findByRole('navigation', { name: 'Pages affichées' })
  expect(names()).toEqual(expected)
  expect(screen.queryByText('Plan du site et robots') !== null).toBe(hasSite)
})

it('keeps the filter in the URL', async () => {
  await read()
  await user.click(await screen.findByRole('link', { name: 'Avertissements' }))
  expect(shownAddress()).toMatch(/\?show=warning$/)
  expect(screen.getByRole('link', { name: 'Avertissements' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Toutes' }).getAttribute('aria-current')).toBeNull()
})

it('leads on where nothing is to be shown', async () => {
  const fine = { ...AUDIT, site: { findings: [], passed: [] }, kinds: [AUDIT.kinds[1]] }
  await read('/audit-seo?show=error', () => Response.json(fine))
  expect(await screen.findByRole('heading', { level: 2, name: 'Rien à montrer ici' })).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Montrer toutes les pages' }))
  expect(names()).toEqual(['Classement'])
})

it('shows loading and failure of the audit', async () => {
  let give = (_: Response): void => {}
  await read(undefined, () => new Promise<Response>((resolve) => (give = resolve)))
  expect(await screen.findByText(/Cela prend quelques secondes/)).toBeTruthy()
  give(new Response('no', { status: 503 }))
  expect(await screen.findByText('Impossible de charger l’audit.')).toBeTruthy()
  await press('Réessayer')
  give(Response.json(AUDIT))
  expect(await screen.findByText('Plan du site et robots')).toBeTruthy()
})
