/** The hooks that follow time, pointers and keys. */
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNow } from './use-now'
import { useNowPast } from './use-now-past'
import { useSwipe } from './use-swipe'
import { useTooltipTarget } from './use-tooltip-target'

const NOW = 1_800_000_000_000

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => vi.useRealTimers())

it('useNow updates by interval or stays fixed', () => {
  const every = renderHook(() => useNow(1000))
  const once = renderHook(() => useNow(null))
  act(() => vi.advanceTimersByTime(3000))
  expect(every.result.current).toBe(NOW + 3000)
  expect(once.result.current).toBe(NOW)
})

it('useNowPast updates only when a moment passes', () => {
  const { result } = renderHook(() => useNowPast([NOW - 5, NOW + 2000, NOW + 10_000]))
  act(() => vi.advanceTimersByTime(1999))
  expect(result.current).toBe(NOW)
  act(() => vi.advanceTimersByTime(1))
  expect(result.current).toBe(NOW + 2000)
  act(() => vi.advanceTimersByTime(8000))
  expect(result.current).toBe(NOW + 10_000)
  expect(vi.getTimerCount()).toBe(0)
})

it('useNowPast ignores past moments, awaits distant ones', () => {
  renderHook(() => useNowPast([NOW - 1]))
  expect(vi.getTimerCount()).toBe(0)
  const { result } = renderHook(() => useNowPast([NOW + 2 ** 32]))
  act(() => vi.advanceTimersByTime(1000))
  expect(result.current).toBe(NOW)
  expect(vi.getTimerCount()).toBe(1)
})

const swiped = vi.fn()

function Card() {
  const swipe = useSwipe(swiped)
  return (
    <div data-testid="card" {...swipe}>
      <button type="button">Fermer</button>
    </div>
  )
}

function drag(
  by: number,
  end: 'pointerUp' | 'pointerCancel' = 'pointerUp',
  from: Element = screen.getByTestId('card'),
) {
  const card = screen.getByTestId('card')
  card.setPointerCapture = vi.fn()
  fireEvent.pointerDown(from, { button: 0, clientX: 10, pointerId: 1 })
  fireEvent.pointerMove(card, { clientX: 10 + by, pointerId: 1 })
  const moved = card.style.translate
  fireEvent[end](card, { clientX: 10 + by, pointerId: 1 })
  return { moved, rests: card.style.translate }
}

it('swipe follows the drag and triggers beyond threshold', () => {
  swiped.mockReset()
  render(<Card />)
  expect(drag(40)).toEqual({ moved: '40px 0', rests: '' })
  expect(swiped).not.toHaveBeenCalled()
  drag(51)
  expect(swiped).toHaveBeenCalledOnce()
})

it.each([
  ['to the left', () => drag(-90)],
  ['that was called off', () => drag(90, 'pointerCancel')],
  ['that began on a button', () => drag(90, 'pointerUp', screen.getByRole('button'))],
])('takes no swipe %s', (_, move) => {
  swiped.mockReset()
  render(<Card />)
  expect(move().rests).toBe('')
  expect(swiped).not.toHaveBeenCalled()
})

function hinted() {
  const { result } = renderHook(useTooltipTarget)
  document.body.innerHTML = '<button data-tooltip="Fermer"><span id="inside">×</span></button><p id="plain">Texte</p>'
  const over = (id: string, pointerType = 'mouse') =>
    act(() => {
      const event = new Event('pointerover', { bubbles: true })
      document.getElementById(id)?.dispatchEvent(Object.assign(event, { pointerType }))
    })
  return { hint: () => result.current?.dataset.tooltip ?? null, over }
}

it('tooltip shows after a delay, never on touch', () => {
  const { hint, over } = hinted()
  over('inside', 'touch')
  act(() => vi.advanceTimersByTime(1000))
  expect(hint()).toBeNull()
  over('inside')
  act(() => vi.advanceTimersByTime(499))
  expect(hint()).toBeNull()
  act(() => vi.advanceTimersByTime(1))
  expect(hint()).toBe('Fermer')
  over('plain')
  expect(hint()).toBeNull()
})

it.each([
  ['Escape', () => fireEvent.keyDown(document, { key: 'Escape' })],
  ['a press', () => fireEvent.pointerDown(document)],
  ['leaving', () => fireEvent.focusOut(document)],
])('takes the hint away by %s', (_, happens) => {
  const { hint, over } = hinted()
  over('inside')
  act(() => vi.advanceTimersByTime(500))
  expect(hint()).toBe('Fermer')
  act(() => void happens())
  expect(hint()).toBeNull()
})
