/**
 * Animates rows of a list that change places. Not with reduced motion, nor under the pointer.
 * Independent of React: it compares the document before and after.
 */

const DURATION = 300
/**
 * Milliseconds to wait for the new order. Cards are rendered in slices, which take seconds on a
 * busy machine.
 */
const PATIENCE = 10_000

interface Place {
  element: Element
  top: number
  left: number
}

let running: Animation[] = []

/**
 * Animates the rows of a list from their current to their next positions; call it before the list
 * is written.
 */
export function animateMoves(list: Element | null): void {
  if (list === null || document.documentElement.dataset.motion === 'reduced') return
  const before = places(list)
  const observer = new MutationObserver(() => {
    const names = [...places(list).keys()]
    const order = [...before.keys()]
    if (names.every((name, at) => name === order[at])) return
    stop()
    glide(before, places(list))
    // A pointer over the list ends the animation.
    list.addEventListener('pointerover', finish, { once: true })
  })
  const stop = (): void => {
    clearTimeout(timer)
    observer.disconnect()
    for (const one of running) one.cancel()
    running = []
  }
  const timer = setTimeout(() => observer.disconnect(), PATIENCE)
  observer.observe(list, { childList: true, subtree: true })
}

function finish(): void {
  for (const one of running) one.finish()
  running = []
}

function glide(before: ReadonlyMap<string, Place>, after: ReadonlyMap<string, Place>): void {
  for (const [name, { element, top, left }] of after) {
    const from = before.get(name)
    if (from === undefined) continue
    const [x, y] = [from.left - left, from.top - top]
    if (Math.abs(x) < 1 && Math.abs(y) < 1) continue
    const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }]
    running.push(element.animate(frames, { duration: DURATION, easing: 'ease-out' }))
  }
}

/**
 * The positions of rows within the list, by the link of each: a row that moves to another part is a
 * new element.
 */
function places(list: Element): Map<string, Place> {
  const origin = list.getBoundingClientRect()
  const found = new Map<string, Place>()
  for (const element of list.querySelectorAll('li:has(> article)')) {
    const name = element.querySelector('a[href]')?.getAttribute('href')
    if (!name) continue
    const { top, left } = element.getBoundingClientRect()
    found.set(name, { element, top: top - origin.top, left: left - origin.left })
  }
  return found
}
