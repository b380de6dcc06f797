/** What a person does with the parts every page of the administration has: rows, menus, windows, fields. For tests only. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

/** Styles are not drawn here, so that no place is asked whether it takes a press; and nothing waits between keys. */
export const user = userEvent.setup({ pointerEventsCheck: 0, delay: null })

type Name = string | RegExp

/** A name as it is read, whatever kind of blank stands in it. */
export function named(name: Name): RegExp {
  return typeof name === 'string' ? new RegExp(`^${loose(name)}$`) : name
}

/** A text with plain blanks. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** The row of a table about something. Roles of all its cells would take ten times as long to work out. */
export function rowOf(name: Name): Promise<HTMLElement> {
  const wanted = typeof name === 'string' ? new RegExp(loose(name)) : name
  return waitFor(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr')].filter((row) => wanted.test(row.textContent))
    if (rows.length !== 1 || !rows[0]) throw new Error(`${rows.length} rows are about ${String(name)}`)
    return rows[0]
  })
}

/** What stands in a row, cell by cell. */
export async function cellsOf(name: Name): Promise<string[]> {
  const row = await rowOf(name)
  return [...row.querySelectorAll('th, td')].map((cell) => plain(cell.textContent))
}

/** What can be done with the row of this name. */
export async function actionsOf(name: string): Promise<HTMLElement[]> {
  await press(`Actions pour ${name}`)
  return screen.findAllByRole('menuitem')
}

/** Does it. */
export async function actOn(name: string, action: string): Promise<void> {
  const items = await actionsOf(name)
  const item = items.find(({ textContent }) => textContent === action)
  if (!item) throw new Error(`${name} offers ${items.map(({ textContent }) => textContent).join(', ')}`)
  await user.click(item)
}

/** The window that is open, or that a test waits for. */
export async function openDialog(name?: Name) {
  const dialog = await screen.findByRole('dialog', name === undefined ? {} : { name: named(name) })
  return { dialog, ...within(dialog) }
}

/** The question that is asked before something is taken away. */
export async function openQuestion(name?: Name) {
  const question = await screen.findByRole('alertdialog', name === undefined ? {} : { name: named(name) })
  return { question, ...within(question) }
}

export async function dialogCloses(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('dialog') ?? screen.queryByRole('alertdialog')).toBeNull())
}

/** Presses the one button, seen by everybody, of this name. */
export async function press(name: Name, inside: HTMLElement = document.body): Promise<void> {
  const wanted = named(name)
  const button = await waitFor(() => {
    const found = [...inside.querySelectorAll('button')].filter(
      (each) =>
        wanted.test((each.getAttribute('aria-label') ?? each.textContent).trim()) &&
        !each.closest('[aria-hidden="true"], [inert], [hidden]'),
    )
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} buttons are called ${String(name)}`)
    return found[0]
  })
  await user.click(button)
}

/** Replaces what stands in a field; its label may go on, such as by "(facultatif)". */
export async function write(label: string, text: string, inside: HTMLElement = document.body): Promise<void> {
  const field = fieldOf(label, inside)
  await user.clear(field)
  if (text === '') return
  await user.click(field)
  await user.paste(text)
}

export function fieldOf(label: string, inside: HTMLElement = document.body): HTMLInputElement {
  return within(inside).getByLabelText<HTMLInputElement>(new RegExp(`^${loose(label)}(?: \\(facultatif\\))?$`))
}

/** What is said to be wrong with a field: the words that it names as its refusal. */
export function problemOf(field: HTMLElement): string | null {
  if (field.getAttribute('aria-invalid') !== 'true') return null
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const id = ids.find((each) => each.endsWith('-error'))
  return (id && document.getElementById(id)?.textContent) || null
}

/** Waits until a field is refused with these words. */
export async function refusesField(label: string, words: string, inside?: HTMLElement): Promise<void> {
  await waitFor(() => expect(plain(problemOf(fieldOf(label, inside)) ?? '')).toBe(words))
}

const loose = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s/g, String.raw`\s`)
