import { afterEach, expect, it } from 'vitest'
import { isAnythingTyped } from './unsaved-input'

function field<Name extends keyof HTMLElementTagNameMap>(name: Name, content = ''): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.innerHTML = content
  document.body.append(made)
  return made
}
const typedIn = (element: Element): void => void element.dispatchEvent(new Event('input', { bubbles: true }))

afterEach(() => document.body.replaceChildren())

it('knows nothing typed where fields only stand', () => {
  field('input').value = 'Ada'
  expect(isAnythingTyped()).toBe(false)
})

it.each(['input', 'textarea'] as const)('counts a typed %s until it is empty', (name) => {
  const made = field(name)
  made.value = 'Ada'
  typedIn(made)
  expect(isAnythingTyped()).toBe(true)
  made.value = ''
  expect(isAnythingTyped()).toBe(false)
})

it('counts selects and editors as typed', () => {
  typedIn(field('select', '<option>a</option>'))
  expect(isAnythingTyped()).toBe(true)
  document.body.replaceChildren()
  const editor = field('div', 'Some words')
  typedIn(editor)
  expect(isAnythingTyped()).toBe(true)
  editor.textContent = ''
  expect(isAnythingTyped()).toBe(false)
})

it('ignores fields removed from the page', () => {
  const made = field('input')
  made.value = 'Ada'
  typedIn(made)
  made.remove()
  expect(isAnythingTyped()).toBe(false)
})
