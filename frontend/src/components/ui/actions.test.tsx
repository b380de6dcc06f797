/** Buttons that confirm, copy, open and navigate. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dialogCloses, openQuestion, press, user } from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import { Button, IconButton } from './button'
import { ChoiceList } from './choice-list'
import { ConfirmButton } from './confirm-button'
import { CopyButton } from './copy-button'
import { FailedState } from './failed-state'
import { Field } from './field'
import { Link, NavLink } from './link'
import { Pagination } from './pagination'
import { Popover } from './popover'
import { Progress } from './progress'
import { TabLinks } from './tab-links'
import { TextArea, TextInput } from './text-input'

const acts = vi.fn<() => unknown>()

beforeEach(() => void acts.mockReset())
afterEach(closePage)

it('busy button keeps focus and ignores clicks', async () => {
  await openPage(
    <Button busy onClick={acts}>
      Envoyer
    </Button>,
    {},
  )
  const button = screen.getByRole('button', { name: 'Envoyer', busy: true })
  button.focus()
  await user.keyboard('{Enter}')
  await user.click(button)
  expect(acts).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

it('icon button has matching name and tooltip', async () => {
  await openPage(<IconButton icon="close" label="Fermer" onClick={acts} />, {})
  const button = screen.getByRole('button', { name: 'Fermer' })
  expect(button.dataset.tooltip).toBe('Fermer')
  await user.click(button)
  expect(acts).toHaveBeenCalledOnce()
})

function Doomed() {
  return (
    <ConfirmButton
      title="Supprimer ?"
      text="C’est définitif."
      confirm="Supprimer"
      onConfirm={acts as () => Promise<unknown>}
    >
      Effacer
    </ConfirmButton>
  )
}

it('confirmation precedes the action and focuses Cancel', async () => {
  await openPage(<Doomed />, {})
  await press('Effacer')
  const { question, getByText } = await openQuestion('Supprimer ?')
  expect(getByText('C’est définitif.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Annuler'))
  expect(acts).not.toHaveBeenCalled()
  await press('Supprimer', question)
  await dialogCloses()
  expect(acts).toHaveBeenCalledOnce()
})

it.each([
  ['Escape', () => user.keyboard('{Escape}')],
  ['the way out', () => press('Annuler')],
])('does nothing when dismissed by %s', async (_, close) => {
  await openPage(<Doomed />, {})
  await press('Effacer')
  await openQuestion()
  await close()
  await dialogCloses()
  expect(acts).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Effacer' }))
})

it('confirmation stays open when the action fails', async () => {
  let fail = (_: Error): void => {}
  acts.mockReturnValueOnce(new Promise((_, reject) => (fail = reject))).mockResolvedValue(undefined)
  await openPage(<Doomed />, {})
  await press('Effacer')
  const { question } = await openQuestion()
  await press('Supprimer', question)
  const button = within(question).getByRole('button', { name: 'Supprimer' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  await user.click(button)
  expect(acts).toHaveBeenCalledOnce()
  await act(async () => fail(new Error('no')))
  expect(screen.getByRole('alertdialog')).toBe(question)
  await press('Supprimer', question)
  await dialogCloses()
  expect(acts).toHaveBeenCalledTimes(2)
})

const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard)

it('copy button shows its success for a moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const copied = vi.fn(async () => undefined)
  clipboard(copied)
  await openPage(<CopyButton text="play.astra.example" onCopied={acts} />, {})
  await press('Copier')
  expect(copied).toHaveBeenCalledWith('play.astra.example')
  expect(await screen.findByRole('button', { name: 'Copié' })).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('Copié')
  expect(acts).toHaveBeenCalledOnce()
  act(() => vi.advanceTimersByTime(2100))
  expect(await screen.findByRole('button', { name: 'Copier' })).toBeTruthy()
})

it('copy button explains why copying failed', async () => {
  clipboard(() => Promise.reject(new Error('no')))
  await openPage(<CopyButton text="x" onCopied={acts} label="Copier l’adresse" />, {})
  await press('Copier l’adresse')
  const words = 'Votre navigateur n’a pas permis la copie. Sélectionnez le texte et copiez-le vous-même.'
  await toastSays('Impossible de copier', 'danger', words)
  expect(acts).not.toHaveBeenCalled()
  expect(screen.getByRole('status').textContent).toBe('')
})

it('copy button works without the clipboard API', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard)
  let selected = ''
  document.execCommand = vi.fn(() => {
    selected = document.querySelector('textarea')?.value ?? ''
    return true
  })
  await openPage(<CopyButton text="play.astra.example" />, {})
  await press('Copier')
  expect(await screen.findByRole('button', { name: 'Copié' })).toBeTruthy()
  expect(selected).toBe('play.astra.example')
  expect(document.querySelector('textarea')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copié' }))
})

it('popover closes by Escape, trigger or content', async () => {
  await openPage(
    <Popover label="Langue" trigger={(button) => <button {...button}>Choisir</button>}>
      {(close) => (
        <button type="button" onClick={close}>
          Prendre
        </button>
      )}
    </Popover>,
    {},
  )
  const trigger = screen.getByRole('button', { name: 'Choisir' })
  const isOpen = () => trigger.getAttribute('aria-expanded')
  expect(isOpen()).toBe('false')
  await user.click(trigger)
  const panel = await screen.findByRole('dialog', { name: 'Langue' })
  expect(trigger.getAttribute('aria-controls')).toBe(panel.id)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(isOpen()).toBe('false'))
  await user.click(trigger)
  await press('Prendre')
  await waitFor(() => expect(isOpen()).toBe('false'))
  await user.click(trigger)
  await waitFor(() => expect(isOpen()).toBe('true'))
  await user.click(trigger)
  await waitFor(() => expect(isOpen()).toBe('false'))
})

it('choice list marks the value and reports changes', async () => {
  const choose = vi.fn()
  const options = [
    { value: 'fr', label: 'Français', lang: 'fr' },
    { value: 'en', label: 'English', lang: 'en' },
  ]
  await openPage(<ChoiceList label="Langue" value="fr" onChange={choose} options={options} />, {})
  const group = screen.getByRole('group', { name: 'Langue' })
  expect(within(group).getByRole<HTMLInputElement>('radio', { name: 'Français' }).checked).toBe(true)
  await user.click(within(group).getByRole('radio', { name: 'English' }))
  expect(choose).toHaveBeenCalledExactlyOnceWith('en')
})

const pages = (page: number, last: number) =>
  openPage(<Pagination label="Pages" page={page} last={last} to={(at) => `/liste?page=${at}`} onTurn={acts} />, {})
const ways = () => screen.queryAllByRole('link').map((link) => link.getAttribute('aria-label') ?? link.textContent)

it.each([
  [1, 1, []],
  [1, 3, ['Page 1', 'Page 2', 'Page 3', 'Page suivante']],
  [2, 3, ['Page précédente', 'Page 1', 'Page 2', 'Page 3', 'Page suivante']],
  [9, 9, ['Page précédente', 'Page 5', 'Page 6', 'Page 7', 'Page 8', 'Page 9']],
])('pagination links page %i of %i to others', async (page, last, expected) => {
  await pages(page, last)
  expect(ways()).toEqual(expected)
})

it('pagination changes the address and marks the page', async () => {
  await pages(1, 3)
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('1')
  await user.click(screen.getByRole('link', { name: 'Page 2' }))
  expect(shownAddress()).toBe('/liste?page=2')
  expect(acts).toHaveBeenCalledOnce()
  expect(screen.getByRole('link', { name: 'Page suivante' }).getAttribute('rel')).toBe('next')
})

it('link navigates unless prevented or opened with Ctrl', async () => {
  await openPage(
    <>
      <Link to="/ici">Ici</Link>
      <Link to="/non" onClick={(event) => event.preventDefault()}>
        Non
      </Link>
    </>,
    {},
    { path: '/' },
  )
  await user.click(screen.getByRole('link', { name: 'Non' }))
  expect(shownAddress()).toBe('/')
  await user.keyboard('{Control>}')
  const aside = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true })
  screen.getByRole('link', { name: 'Ici' }).dispatchEvent(aside)
  await user.keyboard('{/Control}')
  expect(shownAddress()).toBe('/')
  await user.click(screen.getByRole('link', { name: 'Ici' }))
  expect(shownAddress()).toBe('/ici')
})

it('tab links mark the page whatever its query', async () => {
  await openPage(
    <TabLinks
      label="Vues"
      tabs={[
        { to: '/a', label: 'A' },
        { to: '/b?x=1', label: 'B' },
        { to: '/a?view=c', label: 'C', open: true },
      ]}
    />,
    {},
    { path: '/a?page=2' },
  )
  expect(screen.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent)).toEqual(['A', 'C'])
  await user.click(screen.getByRole('link', { name: 'B' }))
  expect(screen.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent)).toEqual(['B', 'C'])
})

it('navigation link is marked by its path alone', async () => {
  await openPage(<NavLink to="/a#part">A</NavLink>, {}, { path: '/a' })
  expect(screen.getByRole('link').getAttribute('aria-current')).toBe('page')
})

it('failed state alerts with a retry button', async () => {
  await openPage(
    <FailedState title="Rien n’est venu" heading="h2" onRetry={acts}>
      Vérifiez votre connexion.
    </FailedState>,
    {},
  )
  const alert = within(screen.getByRole('alert'))
  expect(alert.getByRole('heading', { level: 2, name: 'Rien n’est venu' })).toBeTruthy()
  await press('Réessayer')
  expect(acts).toHaveBeenCalledOnce()
})

it.each([
  [-5, 0],
  [40, 40],
  [200, 100],
])('shows a share of %i within its bounds', async (value, expected) => {
  await openPage(<Progress label="Envoi" value={value} text="en mots" />, {})
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Envoi' })
  expect(bar.value).toBe(expected)
  expect(bar.getAttribute('aria-valuetext')).toBe('en mots')
})

const described = (field: Element) =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent)

it('text input has help, counter and error descriptions', async () => {
  await openPage(
    <TextInput
      label="Nom"
      optional
      help="Court."
      error="Pris."
      counter={{ text: 'Ada😀', limit: 5 }}
      defaultValue="Ada"
    />,
    {},
  )
  const field = screen.getByLabelText(/^Nom/)
  expect(described(field)).toEqual(['Court.', '4 / 5Encore 1 caractère.', 'Pris.'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

it.each([
  ['x'.repeat(10), ''],
  ['x'.repeat(80), 'Encore 20 caractères.'],
  ['x'.repeat(100), 'Encore 0 caractère.'],
  ['x'.repeat(101), '1 caractère de trop.'],
])('announces the remaining characters near the limit', async (text, words) => {
  await openPage(<TextArea label="Note" counter={{ text, limit: 100 }} defaultValue={text} />, {})
  expect(document.querySelector('[aria-live]')?.textContent).toBe(words)
})

it('field group is named and describes its error', async () => {
  await openPage(
    <Field label="Raison" group="radiogroup" name="reason" error="Choisissez.">
      {() => <input type="radio" aria-label="A" />}
    </Field>,
    {},
  )
  const group = screen.getByRole('radiogroup', { name: 'Raison' })
  expect(described(group)).toEqual(['Choisissez.'])
  expect(group.dataset.field).toBe('reason')
})
