/** Whether the page has user input that a reload would lose. */

const MARK = 'data-typed'

document.addEventListener(
  'input',
  ({ target }) => {
    if (target instanceof Element) target.setAttribute(MARK, '')
  },
  { capture: true },
)

export function isAnythingTyped(): boolean {
  return [...document.querySelectorAll(`[${MARK}]`)].some(holdsWords)
}

function holdsWords(field: Element): boolean {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value !== ''
  return field instanceof HTMLSelectElement || (field.textContent ?? '') !== ''
}
