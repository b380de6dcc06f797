import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Picture } from './picture'

it('gives its place to the fallback when it does not load, and tries another one again', () => {
  const { rerender } = render(<Picture src="/gone.webp" alt="A map" fallback="M" />)
  fireEvent.error(screen.getByRole('img', { name: 'A map' }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('M')).toBeTruthy()
  rerender(<Picture src="/there.webp" alt="A map" fallback="M" />)
  expect(screen.getByRole('img', { name: 'A map' }).getAttribute('src')).toBe('/there.webp')
})

it('draws nothing without an address', () => {
  const { container } = render(<Picture src={null} />)
  expect(container.innerHTML).toBe('')
})
