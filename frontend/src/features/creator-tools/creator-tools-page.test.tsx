import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refused, type Answer } from '@/testing/answers'
import { fieldOf, named, press, user, write } from '@/testing/controls'
import { closePage, openPage } from '@/testing/open-page'
import { CreatorToolsPage } from './creator-tools-page'

const server = (id: string, name: string, rest: object = {}) => ({
  id: `de300000-0000-4000-8000-00000000000${id}`,
  slug: name.toLowerCase(),
  name,
  is_approved: true,
  is_hidden: false,
  ...rest,
})
const SHOWN = server('1', 'Loup &amp; Garde')
const OTHER = server('2', 'Avalon')
const HIDDEN = server('3', 'Caché', { is_hidden: true })
const WAITING = server('4', 'Neuf', { is_approved: false })

const open = (servers: Answer = [WAITING, SHOWN, HIDDEN, OTHER], language: 'fr' | 'es' = 'fr') =>
  openPage(<CreatorToolsPage />, { servers_managed: servers }, { as: 'owner', language })

const preview = async () => {
  const frame = await screen.findByTitle<HTMLIFrameElement>('Widget de Loup & Garde')
  return new URL(frame.getAttribute('src') ?? '', 'http://palmares.test')
}
const code = () => screen.getByRole('region', { name: /^Code à copier \(/ }).textContent

// The test environment loads no frames and logs a long message for each, so they are replaced.
beforeEach(() => {
  const make = document.createElement.bind(document)
  vi.spyOn(document, 'createElement').mockImplementation(((name: string) =>
    make(name === 'iframe' ? 'section' : name)) as typeof make)
})
afterEach(closePage)

it('offers widgets of servers that anybody may see', async () => {
  await open()
  await preview()
  expect([...fieldOf('Serveur').querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Loup & Garde',
    'Avalon',
  ])
})

it('shows what is chosen, in the code too', async () => {
  await open()
  await preview()
  await user.click(screen.getByRole('radio', { name: /^Bannière/ }))
  await user.selectOptions(fieldOf('Taille'), screen.getByRole('option', { name: /^Grande/ }))
  await user.selectOptions(fieldOf('Langue du widget'), 'Español')
  await user.click(screen.getByRole('radio', { name: 'Rétro' }))
  await user.click(screen.getByRole('switch', { name: 'Afficher les votes' }))
  await write('Pseudo prérempli', ' Léa ')
  const expected = 'format=banner&size=large&theme=retro&lang=es&votes=0&rounded=1&animation=0&nickname=L%C3%A9a'
  await waitFor(async () => expect((await preview()).search).toBe(`?${expected}`))
  expect((await preview()).pathname).toBe(`/widget/${SHOWN.id}`)
  expect(code()).toContain(`/widget/${SHOWN.id}?${expected.replaceAll('&', '&amp;')}`)
  expect(code()).toContain('title="Voter pour Loup &amp; Garde"')
})

it('sizes the frame to the chosen format', async () => {
  await open()
  await preview()
  await user.click(screen.getByRole('radio', { name: /^Bannière/ }))
  await user.selectOptions(fieldOf('Taille'), screen.getByRole('option', { name: named('Grande (728 × 128)') }))
  await waitFor(() => expect(screen.getByText(/^728 × 128 pixels/)).toBeTruthy())
  const frame = screen.getByTitle<HTMLIFrameElement>('Widget de Loup & Garde')
  expect([frame.getAttribute('width'), frame.getAttribute('height')]).toEqual(['728', '128'])
})

it('sandboxes frames without same-origin access', async () => {
  await open()
  await preview()
  const frames = [...document.querySelectorAll('[sandbox]')]
  expect(frames).toHaveLength(2)
  for (const frame of frames) {
    expect(frame.getAttribute('sandbox')).toContain('allow-scripts')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  }
})

it.each([
  ['Script JS', /<script async src="[^"]+\/widget\.js" data-server="de300000/],
  ['Image', /<a href="[^"]+"><img src="[^"]+\.svg\?size=medium&amp;theme=light&amp;lang=fr&amp;votes=1&amp;rounded=1"/],
])('gives the code as %s', async (tab, shape) => {
  await open()
  await preview()
  await user.click(screen.getByRole('radio', { name: tab }))
  expect(code()).toMatch(shape)
})

it('shows the overlay of the selected server', async () => {
  await open()
  await preview()
  await user.selectOptions(fieldOf('Serveur'), 'Avalon')
  const overlay = await screen.findByTitle('Overlay de Avalon')
  expect(overlay.getAttribute('src')).toBe(`/overlay/${OTHER.id}?lang=fr&votes=1`)
  expect(within(screen.getByRole('region', { name: 'Overlay de stream' })).getByText(new RegExp(OTHER.id))).toBeTruthy()
})

it('begins in the language of the reader', async () => {
  await open(undefined, 'es')
  const frames = await screen.findAllByTitle(/Loup & Garde/)
  expect(frames.map((frame) => frame.getAttribute('src')?.includes('lang=es'))).toEqual([true, true])
})

it('without visible servers, links to adding one', async () => {
  await open([HIDDEN, WAITING])
  expect(await screen.findByRole('heading', { level: 2, name: 'Aucun serveur visible' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ajouter un serveur' })).toBeTruthy()
})

it('reloads servers after a failed request', async () => {
  let isDown = true
  await open(() => (isDown ? refused('57014', 500) : Response.json([SHOWN])))
  expect(await screen.findByText('Impossible de charger vos serveurs')).toBeTruthy()
  isDown = false
  await press('Réessayer')
  await preview()
})
