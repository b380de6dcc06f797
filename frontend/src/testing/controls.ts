/**
 * A user's actions on the components of administration pages: rows, menus, dialogs, fields. For
 * tests only.
 */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

/** There is no layout, so pointer events are not checked; and there is no delay between keys. */
export const user = userEvent.setup({ pointerEventsCheck: 0, delay: null })

type Name = string | RegExp

/** A pattern for a name with any kind of space. */
export function named(name: Name): RegExp {
  return typeof name === 'string' ? new RegExp(`^${loose(name)}$`) : name
}

/** A text with plain spaces. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/**
 * The row of a table with this name. Computing the roles of all cells would take ten times as long.
 */
export function rowOf(name: Name): Promise<HTMLElement> {
  const pattern = typeof name === 'string' ? new RegExp(loose(name)) : name
  return waitFor(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr')].filter((row) => pattern.test(row.textContent))
    if (rows.length !== 1 || !rows[0]) throw new Error(`${rows.length} rows are about ${String(name)}`)
    return rows[0]
  })
}

/** The texts of a row, cell by cell. */
export async function cellsOf(name: Name): Promise<string[]> {
  const row = await rowOf(name)
  return [...row.querySelectorAll('th, td')].map((cell) => plain(cell.textContent))
}

/** The actions of the row with this name. */
export async function actionsOf(name: string): Promise<HTMLElement[]> {
  await press(`Actions pour ${name}`)
  return screen.findAllByRole('menuitem')
}

/** Chooses an action of the row with this name. */
export async function actOn(name: string, action: string): Promise<void> {
  const items = await actionsOf(name)
  const item = items.find(({ textContent }) => textContent === action)
  if (!item) throw new Error(`${name} offers ${items.map(({ textContent }) => textContent).join(', ')}`)
  await user.click(item)
}

/** The open dialog; waits for it. */
export async function openDialog(name?: Name) {
  const dialog = await screen.findByRole('dialog', name === undefined ? {} : { name: named(name) })
  return { dialog, ...within(dialog) }
}

/** The open confirmation; waits for it. */
export async function openQuestion(name?: Name) {
  const question = await screen.findByRole('alertdialog', name === undefined ? {} : { name: named(name) })
  return { question, ...within(question) }
}

export async function dialogCloses(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('dialog') ?? screen.queryByRole('alertdialog')).toBeNull())
}

/** Clicks the only visible button with this name. */
export async function press(name: Name, inside: HTMLElement = document.body): Promise<void> {
  const pattern = named(name)
  const button = await waitFor(() => {
    const found = [...inside.querySelectorAll('button')].filter(
      (each) =>
        pattern.test((each.getAttribute('aria-label') ?? each.textContent).trim()) &&
        !each.closest('[aria-hidden="true"], [inert], [hidden]'),
    )
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} buttons are called ${String(name)}`)
    return found[0]
  })
  await user.click(button)
}

/** Replaces the value of a field; its label may have a suffix, such as "(facultatif)". */
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

/** The error message of a field. */
export function problemOf(field: HTMLElement): string | null {
  if (field.getAttribute('aria-invalid') !== 'true') return null
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const id = ids.find((each) => each.endsWith('-error'))
  return (id && document.getElementById(id)?.textContent) || null
}

/** Waits until a field shows this error message. */
export async function refusesField(label: string, words: string, inside?: HTMLElement): Promise<void> {
  await waitFor(() => expect(plain(problemOf(fieldOf(label, inside)) ?? '')).toBe(words))
}

const loose = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s/g, String.raw`\s`)
