/**
 * Rows of a list that change places glide there, so that an eye can follow them. Where stillness is wished for, and under
 * the pointer, nothing glides. Knows nothing of React: it looks at the document before and after.
 */

const DURATION = 300
/** A list that is not drawn anew by then keeps its order. Cards are drawn in slices, which take seconds on a busy machine. */
const PATIENCE = 10_000

interface Place {
  element: Element
  top: number
  left: number
}

let running: Animation[] = []

/** Lets the rows of a list that is about to be written glide from where they are to where they will be. */
export function animateMoves(list: Element | null): void {
  if (list === null || document.documentElement.dataset.motion === 'reduced') return
  const before = places(list)
  const observer = new MutationObserver(() => {
    const names = [...places(list).keys()]
    const order = [...before.keys()]
    if (names.every((name, at) => name === order[at])) return
    stop()
    glide(before, places(list))
    // Whoever points at the list meanwhile finds it at rest.
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

/** Where the rows are within the list, by the page each leads to: one that comes into another part is drawn anew. */
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
