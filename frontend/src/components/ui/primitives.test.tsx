import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { Button } from './button'
import { Checkbox } from './checkbox'
import { Combobox, type ComboboxOption } from './combobox'
import { Dialog } from './dialog'
import { Menu, MenuItem } from './menu'
import { NumberInput } from './number-input'
import { RadioCards } from './radio-cards'
import { Select } from './select'
import { Switch } from './switch'
import { Tabs } from './tabs'

const user = userEvent.setup()
const GAMES = ['Dofus', 'Minecraft', 'Rust'].map((label) => ({ value: label.toLowerCase(), label }))

it('dialog closes with Escape and restores focus', async () => {
  function Trial() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Button onClick={() => setOpen(true)}>Ouvrir</Button>
        <Dialog open={open} onOpenChange={setOpen} title="Modifier" description="En une ligne.">
          <input aria-label="Nom" data-first-focus />
        </Dialog>
      </>
    )
  }
  await renderPage(<Trial />)
  await user.click(screen.getByRole('button', { name: 'Ouvrir' }))
  const dialog = await screen.findByRole('dialog', { name: 'Modifier' })
  expect(within(dialog).getByText('En une ligne.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nom')))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ouvrir' }))
})

it('menu opens and navigates by keyboard', async () => {
  const show = vi.fn()
  const remove = vi.fn()
  await renderPage(
    <Menu trigger={<Button>Plus</Button>}>
      <MenuItem onSelect={show}>Voir</MenuItem>
      <MenuItem onSelect={remove}>Supprimer</MenuItem>
    </Menu>,
  )
  await user.tab()
  await user.keyboard('{Enter}')
  await screen.findByRole('menu')
  await waitFor(() =>
    expect(screen.getByRole('menuitem', { name: 'Voir' }).hasAttribute('data-highlighted')).toBe(true),
  )
  await user.keyboard('{ArrowDown}{Enter}')
  expect(remove).toHaveBeenCalledOnce()
  expect(show).not.toHaveBeenCalled()
})

it('select shows its choice and changes it', async () => {
  const choose = vi.fn()
  await renderPage(<Select label="Jeu" value="rust" onValueChange={choose} options={GAMES} />)
  const trigger = screen.getByRole('combobox', { name: 'Jeu' })
  expect(trigger.textContent).toContain('Rust')
  await user.click(trigger)
  expect((await screen.findByRole('option', { name: 'Rust' })).getAttribute('aria-selected')).toBe('true')
  await user.click(screen.getByRole('option', { name: 'Dofus' }))
  await waitFor(() => expect(choose).toHaveBeenCalledWith('dofus'))
})

it('combobox filters options and reports no results', async () => {
  function Trial() {
    const [value, setValue] = useState<ComboboxOption | null>(null)
    const [typed, setTyped] = useState('')
    const options = GAMES.filter(({ value: name }) => name.includes(typed))
    return <Combobox label="Jeu" help="Tapez." {...{ value, options }} onValueChange={setValue} onSearch={setTyped} />
  }
  await renderPage(<Trial />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Jeu' })
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Tapez.')
  await user.type(field, 'zz')
  expect(await screen.findByText('Aucun résultat')).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'min')
  await user.click(await screen.findByRole('option', { name: 'Minecraft' }))
  await waitFor(() => expect(field.value).toBe('Minecraft'))
})

it('tabs follow arrow keys and name their panels', async () => {
  function Trial() {
    const [tab, setTab] = useState<'votes' | 'avis'>('votes')
    const tabs = [
      { name: 'votes', label: 'Votes', panel: 'Douze' },
      { name: 'avis', label: 'Avis', panel: 'Trois' },
    ] as const
    return <Tabs label="Serveur" value={tab} onValueChange={setTab} tabs={tabs} />
  }
  await renderPage(<Trial />)
  expect(screen.getByRole('tablist', { name: 'Serveur' })).toBeTruthy()
  await user.click(screen.getByRole('tab', { name: 'Votes' }))
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(screen.getByRole('tab', { name: 'Avis' }).getAttribute('aria-selected')).toBe('true'))
  expect(screen.getByRole('tabpanel', { name: 'Avis' }).textContent).toBe('Trois')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Avis' }))
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tabpanel', { name: 'Votes' }).textContent).toBe('Douze')
  await user.keyboard('{End}{Control>}{Home}{/Control}')
  expect(screen.getByRole('tabpanel', { name: 'Avis' }).textContent).toBe('Trois')
  // One tab stop for all tabs, then the panel.
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel', { name: 'Avis' }))
})

it('switch toggles with space and has descriptions', async () => {
  const change = vi.fn()
  await renderPage(<Switch label="Visible" help="Aussitôt." error="Refusé." checked={false} onCheckedChange={change} />)
  const control = screen.getByRole('switch', { name: 'Visible' })
  const descriptions = (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id))
  expect(descriptions.map((element) => element?.textContent)).toEqual(['Aussitôt.', 'Refusé.'])
  await user.tab()
  await user.keyboard(' ')
  expect(change).toHaveBeenCalledWith(true)
})

it('checkbox can be mixed and forwards its ref', async () => {
  const ref = vi.fn()
  await renderPage(<Checkbox label="Tous" mixed ref={ref} onChange={() => {}} checked={false} />)
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tous' })
  expect(box.indeterminate).toBe(true)
  expect(ref).toHaveBeenCalledWith(box)
})

it('radio cards form one named group', async () => {
  const choose = vi.fn()
  await renderPage(
    <RadioCards label="Raison" value="rust" onValueChange={choose} choices={GAMES} error="Choisissez." />,
  )
  const group = screen.getByRole('radiogroup', { name: 'Raison' })
  expect(group.getAttribute('aria-invalid')).toBe('true')
  expect(within(group).getByRole<HTMLInputElement>('radio', { name: 'Rust' }).checked).toBe(true)
  await user.click(within(group).getByRole('radio', { name: 'Dofus' }))
  expect(choose).toHaveBeenCalledWith('dofus')
})

function Days({ start = null, ...input }: { start?: number | null; step?: number; scale?: number; decimals?: number }) {
  const [value, setValue] = useState<number | null>(start)
  return (
    <>
      <NumberInput label="Jours" min={1} max={30} {...input} value={value} onValueChange={setValue} />
      <output>{String(value)}</output>
    </>
  )
}

it('number field steps within its bounds', async () => {
  await renderPage(<Days start={29} step={1} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Jours' })
  await user.click(screen.getByRole('button', { name: 'Augmenter' }))
  expect(field.value).toBe('30')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Augmenter' }).disabled).toBe(true)
  await user.click(field)
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(field.value).toBe('28')
})

it('number field reads a dot, displays a comma', async () => {
  await renderPage(<Days scale={100} decimals={2} />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Jours' })
  await user.type(field, '1 234.5')
  expect(screen.getByText('123450')).toBeTruthy()
  await user.tab()
  expect(field.value).toBe('1234,50')
  await user.clear(field)
  await user.type(field, 'douze')
  expect(screen.getByText('NaN')).toBeTruthy()
  expect(field.value).toBe('douze')
})
