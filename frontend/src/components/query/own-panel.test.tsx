import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { PriceSummary } from '@/components/money/price-summary'
import { plain, press } from '@/testing/controls'
import { closePage, openPage } from '@/testing/open-page'
import { OwnPanel } from './own-panel'

const read = vi.fn<() => Promise<string[]>>()

function Trial() {
  const query = useQuery({ queryKey: ['own'], queryFn: read })
  return (
    <OwnPanel
      title="Mes avis"
      intro="Ce que vous avez écrit."
      query={query}
      unreadable="Impossible de charger vos avis."
      empty="Aucun avis."
      next={<a href="/">Voir le classement</a>}
      actions={<button type="button">Tout effacer</button>}
    >
      {(name) => <li key={name}>{name}</li>}
    </OwnPanel>
  )
}

const rows = (count: number) => Array.from({ length: count }, (_, at) => `Avis ${at + 1}`)
const itemCount = () => screen.queryAllByRole('listitem').length

afterEach(closePage)

it('truncates a long list until it is expanded', async () => {
  read.mockResolvedValue(rows(12))
  await openPage(<Trial />, {})
  await screen.findByText('Avis 1')
  expect(itemCount()).toBe(5)
  await press('Tout afficher (12)')
  expect(itemCount()).toBe(12)
  expect(screen.queryByRole('button', { name: /Tout afficher/ })).toBeNull()
})

it('hides the expand button for short lists', async () => {
  read.mockResolvedValue(rows(5))
  await openPage(<Trial />, {})
  await screen.findByText('Avis 5')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Tout effacer'])
})

it('explains the empty state without bulk actions', async () => {
  read.mockResolvedValue([])
  await openPage(<Trial />, {})
  expect(await screen.findByText('Aucun avis.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Voir le classement' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Tout effacer' })).toBeNull()
})

it('shows a load error under its heading', async () => {
  read.mockRejectedValueOnce(new Error('no')).mockResolvedValue(rows(1))
  await openPage(<Trial />, {})
  expect(await screen.findByText('Impossible de charger vos avis.')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 2, name: 'Mes avis' })).toBeTruthy()
  await press('Réessayer')
  expect(await screen.findByText('Avis 1')).toBeTruthy()
})

it.each([
  ['fr', '3 jours12,00 € par jourTotal30,00 €'],
  ['en', '3 days€12.00 per dayTotal€30.00'],
  ['es', '3 días12,00 € al díaTotal30,00 €'],
] as const)('price summary shows days and total in %s', async (language, words) => {
  await openPage(<PriceSummary days={3} dailyCents={1200} totalCents={3000} />, {}, { language })
  expect(plain(document.querySelector('dl')?.textContent ?? '')).toBe(words)
})

it('price summary shows no total before it arrives', async () => {
  await openPage(<PriceSummary days={1} dailyCents={1200} />, {})
  const summary = document.querySelector('dl')
  expect(plain(summary?.textContent ?? '')).toBe('1 jour12,00 € par jourTotal…')
  expect(summary?.getAttribute('aria-busy')).toBe('true')
})
