import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ArcadeSpots } from './arcade-spots'

const spot = (position: number, more: object) => ({
  id: `spot-${position}`,
  position,
  start_date: '2026-11-01',
  end_date: '2026-11-30',
  image_url: '/a.png',
  website_url: 'https://astra.example',
  status: 'active',
  servers: { name: 'Astra &amp; Co', monthly_votes: 1204, games: { name: 'Rust' } },
  ...more,
})
const answer = vi.fn<() => Response>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  answers({ arcade_spots: answer })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('links live spots, not reserved or suspended ones', async () => {
  answer.mockReturnValue(
    Response.json([
      spot(1, {}),
      spot(2, { status: 'paid', start_date: '2026-11-25' }),
      spot(3, { status: 'suspended', servers: null }),
    ]),
  )
  await renderPage(<ArcadeSpots ready dailyPrice={1000} />)
  const link = await screen.findByRole('link', { name: /Ouvrir le site de Astra & Co \(nouvel onglet\)$/ })
  expect(link.textContent).toMatch(/^Astra & CoRust1.204 votes /)
  expect(link.getAttribute('href')).toBe('https://astra.example')
  expect(link.getAttribute('rel')).toBe('sponsored noopener noreferrer')
  const [, second, third] = screen.getAllByRole('listitem')
  expect(within(second!).getByText('Réservé, commence le 25 novembre 2026')).toBeTruthy()
  expect(within(second!).queryByRole('link')).toBeNull()
  expect(within(third!).getByText('Suspendu')).toBeTruthy()
  expect(within(third!).queryByRole('link')).toBeNull()
  expect(screen.getByText('Sponsorisé')).toBeTruthy()
})

it('offers the free ones with their price', async () => {
  answer.mockReturnValue(Response.json([]))
  await renderPage(<ArcadeSpots ready dailyPrice={1250} />, { language: 'en' })
  const links = await screen.findAllByRole('link', { name: /^Free spot/ })
  expect(links.map((link) => link.textContent)).toEqual([
    'Free spot · Leftfrom €12.50 per day',
    'Free spot · Centerfrom €12.50 per day',
    'Free spot · Rightfrom €12.50 per day',
  ])
  expect(links[0]!.getAttribute('href')).toBe('/en/arcade-spots-management?position=1')
})

it('shows no price before it is known', async () => {
  answer.mockReturnValue(Response.json([]))
  await renderPage(<ArcadeSpots ready dailyPrice={null} />, { language: 'en' })
  const links = await screen.findAllByRole('link', { name: /^Free spot/ })
  expect(links.map((link) => link.textContent)).toEqual(['Free spot · Left', 'Free spot · Center', 'Free spot · Right'])
})

it('asks for nothing before the list is there', async () => {
  answer.mockClear()
  await renderPage(<ArcadeSpots ready={false} dailyPrice={1000} />)
  expect(answer).not.toHaveBeenCalled()
})
