import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { observeByHand } from '@/testing/intersection-observer'
import { Picture } from './picture'

afterEach(() => vi.unstubAllGlobals())

it('falls back on error and retries another source', () => {
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

const UPLOAD = 'https://site.test/storage/v1/object/public/server-images/ada/logo.webp'

it('requests uploads at display size, original as fallback', () => {
  render(<Picture src={UPLOAD} width={40} alt="A logo" fallback="L" />)
  const image = () => screen.getByRole('img', { name: 'A logo' })
  const rendered = UPLOAD.replace('/object/', '/render/image/')
  expect(image().getAttribute('srcset')).toBe(`${rendered}?width=40 1x, ${rendered}?width=80 2x`)
  fireEvent.error(image())
  expect(image().getAttribute('srcset')).toBeNull()
  expect(image().getAttribute('src')).toBe(UPLOAD)
  fireEvent.error(image())
  expect(screen.getByText('L')).toBeTruthy()
})

it('leaves external, animated and unsized pictures unresized', () => {
  const { container } = render(
    <>
      <Picture src="https://elsewhere.test/a.png" width={40} />
      <Picture src={UPLOAD.replace('webp', 'gif')} width={40} />
      <Picture src={UPLOAD} />
    </>,
  )
  expect(container.querySelectorAll('img')).toHaveLength(3)
  expect(container.querySelector('[srcset]')).toBeNull()
})

it('loads a lazy picture near the viewport', () => {
  const comeNear = observeByHand()
  render(<Picture src={UPLOAD} width={40} alt="A logo" lazy />)
  const image = () => screen.getByRole('img', { name: 'A logo' })
  expect([image().getAttribute('src'), image().getAttribute('srcset')]).toEqual([null, null])
  comeNear()
  expect(image().getAttribute('src')).toBe(UPLOAD)
  expect(image().getAttribute('srcset')).toContain('?width=80 2x')
})
