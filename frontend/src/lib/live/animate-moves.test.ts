import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { animateMoves } from './animate-moves'

const finish = vi.fn()
const cancel = vi.fn()
const animate = vi.fn((_: Keyframe[]) => ({ finish, cancel }))
let list: HTMLElement

const row = (name: string): string => `<li><article><a href="/server/${name}">${name}</a></article></li>`

beforeEach(() => {
  document.body.innerHTML = `<section><ol>${['a', 'b', 'c'].map(row).join('')}</ol><ol>${row('d')}</ol></section>`
  list = document.querySelector('section')!
  // jsdom has no layout: each row is placed a hundred pixels below the one before.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const place = [...list.querySelectorAll('li')].indexOf(this as HTMLLIElement)
    return new DOMRect(0, place < 0 ? 50 : 50 + place * 100, 10, 10)
  })
  Element.prototype.animate = animate as unknown as typeof Element.prototype.animate
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.clearAllMocks()
  delete document.documentElement.dataset.motion
})

const nextMicrotask = () => new Promise<void>((resolve) => queueMicrotask(resolve))
const [first, second] = ['li:nth-child(1)', 'li:nth-child(2)']
const swap = () => list.querySelector(second)!.after(list.querySelector(first)!)
const moves = () => animate.mock.calls.map(([frames]) => frames[0]!.transform)

describe('rows that change places', () => {
  it('glide from where they were', async () => {
    animateMoves(list)
    swap()
    await nextMicrotask()
    expect(moves()).toEqual(['translate(0px, 100px)', 'translate(0px, -100px)'])
  })

  it('glide when rendered again in another list', async () => {
    animateMoves(list)
    const last = list.querySelector('ol:last-child li')!
    list.querySelector('li')!.insertAdjacentHTML('beforebegin', row('d'))
    last.remove()
    await nextMicrotask()
    expect(moves()[0]).toBe('translate(0px, 300px)')
  })

  it('stand still where that is wished for', async () => {
    document.documentElement.dataset.motion = 'reduced'
    animateMoves(list)
    swap()
    await nextMicrotask()
    expect(animate).not.toHaveBeenCalled()
  })

  it('finish their animation on pointer over', async () => {
    animateMoves(list)
    swap()
    await nextMicrotask()
    list.dispatchEvent(new Event('pointerover', { bubbles: true }))
    expect(finish).toHaveBeenCalledTimes(2)
  })

  it('are not mistaken for figures that change', async () => {
    animateMoves(list)
    list.querySelector('a')!.textContent = 'new words'
    await nextMicrotask()
    expect(animate).not.toHaveBeenCalled()
    swap()
    await nextMicrotask()
    expect(animate).toHaveBeenCalledTimes(2)
  })
})
