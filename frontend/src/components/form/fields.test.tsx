/** The kinds of fields: how each parses its input and shows a problem. */
import { act, screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { atMost, oneOf, oneTimeCode, requiredText, wholeNumber } from '@/lib/text/rules'
import { fieldOf, named, plain, press, problemOf, refusesField, user, write } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { CheckboxField, SwitchField } from './check-field'
import { CodeField } from './code-field'
import { Form } from './form'
import { FormLoading } from './form-loading'
import { LocalizedField } from './localized-field'
import { MoneyField, NumberField } from './number-field'
import { RadioField } from './radio-field'
import { SaveBar } from './save-bar'
import { SecretField } from './secret-field'
import { SelectField } from './select-field'
import { Submit } from './submit'
import { TagsField } from './tags-field'
import { useForm } from './use-form'

const text = () => requiredText(10)
const SCHEMA = v.object({
  days: wholeNumber({ min: 1, max: 30 }),
  cents: v.nullable(v.number('number')),
  kind: oneOf(['a', 'b']),
  size: oneOf(['s', 'm']),
  code: v.union([v.literal(''), oneTimeCode()]),
  token: v.string(),
  tags: v.pipe(v.array(v.string()), atMost(2)),
  names: v.object({ fr: text(), en: text(), es: text() }),
  agreed: v.pipe(
    v.boolean(),
    v.check((yes) => yes, 'Acceptez d’abord.'),
  ),
  open: v.boolean(),
})
type Values = v.InferOutput<typeof SCHEMA>

const VALUES = {
  days: 7 as number | null,
  cents: null as number | null,
  kind: '' as string,
  size: 's' as string,
  code: '',
  token: 'secret-token',
  tags: ['pvp'],
  names: { fr: 'Un', en: 'One', es: 'Uno' },
  agreed: true,
  open: false,
}
const TAGS = ['Économie', 'PvP', 'Roleplay', 'Survie'].map((label) => ({ value: label.toLowerCase(), label }))
const MANY = [...TAGS, ...Array.from({ length: 12 }, (_, at) => ({ value: `t${at}`, label: `Tag ${at}` }))]

const send = vi.fn<(values: Values) => Promise<void>>()
const renew = vi.fn<() => Promise<string>>()

function Fields({ values = VALUES, many = false }: { values?: typeof VALUES; many?: boolean }) {
  const form = useForm({ schema: SCHEMA as never, defaults: values, submit: send as never, draft: 'fields' })
  return (
    <Form form={form} label="Essai">
      <NumberField name="days" label="Jours" step={1} min={1} max={30} />
      <MoneyField name="cents" label="Prix" optional />
      <RadioField
        name="kind"
        label="Genre"
        choices={[
          { value: 'a', label: 'Alpha' },
          { value: 'b', label: 'Bêta' },
        ]}
      />
      <SelectField name="size" label="Taille" empty="Aucune" choices={[{ value: 's', label: 'Petite' }]} />
      <CodeField name="code" label="Code" />
      <SecretField name="token" label="Jeton" regenerate={renew} />
      <TagsField name="tags" label="Tags" choices={many ? MANY : TAGS} limit={2} />
      <LocalizedField name="names" label="Titre" limit={10} />
      <CheckboxField name="agreed" label="J’accepte" />
      <SwitchField name="open" label="Ouvert" help="Pour tous." />
      <Submit>Envoyer</Submit>
      <SaveBar form={form} />
    </Form>
  )
}

const open = (values: Partial<typeof VALUES> = {}, many = false) =>
  openPage(<Fields values={{ ...VALUES, kind: 'a', ...values }} many={many} />, {})
const submit = () => press('Envoyer')
const sent = async (): Promise<Values> => {
  await vi.waitFor(() => expect(send).toHaveBeenCalled())
  return send.mock.lastCall?.[0] as Values
}

beforeEach(() => {
  localStorage.clear()
  send.mockReset().mockResolvedValue(undefined)
  renew.mockReset().mockResolvedValue('new-token')
})
afterEach(closePage)

it.each([
  ['12', 1200],
  ['12,5', 1250],
  ['1 234.56', 123456],
  ['0,005', 0.5],
  ['', null],
])('reads a sum of money typed as %j', async (typed, cents) => {
  await open()
  await write('Prix', typed)
  await submit()
  expect((await sent()).cents).toBe(cents)
})

it.each([
  ['', 'Saisissez un nombre.'],
  ['douze', 'Saisissez un nombre.'],
  ['1,5', 'Saisissez un nombre entier.'],
  ['31', '30 au maximum.'],
  ['-1', '1 au minimum.'],
])('days field explains what is wrong with %j', async (typed, words) => {
  await open()
  await write('Jours', typed)
  await submit()
  await refusesField('Jours', words)
  expect(send).not.toHaveBeenCalled()
})

it('group without a choice gets error and focus', async () => {
  await open({ kind: '', size: '' })
  await submit()
  const group = screen.getByRole('radiogroup', { name: 'Genre' })
  await vi.waitFor(() => expect(group.getAttribute('aria-invalid')).toBe('true'))
  expect(within(group).getByText('Choisissez une option.')).toBeTruthy()
  await refusesField('Taille', 'Choisissez une option.')
  expect(document.activeElement).toBe(within(group).getByRole('radio', { name: 'Alpha' }))
})

it('code field strips separators and limits digits', async () => {
  await open()
  await write('Code', '12-34 56')
  expect(fieldOf('Code').value).toBe('123456')
  await write('Code', '123456789012')
  expect(fieldOf('Code').value).toBe('1234567890')
  expect(fieldOf('Code').getAttribute('autocomplete')).toBe('one-time-code')
})

it('secret is masked and excluded from drafts', async () => {
  await open()
  const field = fieldOf('Jeton')
  expect(field.type).toBe('password')
  await press('Afficher')
  expect(field.type).toBe('text')
  await press('Masquer')
  expect(field.type).toBe('password')
  await write('Jours', '8')
  await vi.waitFor(() => expect(localStorage.getItem('palmares.draft.fields')).toContain('"days":8'))
  expect(localStorage.getItem('palmares.draft.fields')).not.toContain('secret-token')
})

it('makes a secret anew, and shows it', async () => {
  await open()
  await press('Régénérer')
  await vi.waitFor(() => expect(fieldOf('Jeton').value).toBe('new-token'))
  expect(fieldOf('Jeton').type).toBe('text')
})

it('secret stays unchanged when regeneration fails', async () => {
  renew.mockRejectedValue(new Error('no'))
  await open()
  await press('Régénérer')
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Régénérer' }).getAttribute('aria-busy')).toBeNull())
  expect(fieldOf('Jeton').value).toBe('secret-token')
})

it('secret is copied or revealed on failure', async () => {
  const written = vi.fn(async () => undefined)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: written } as unknown as Clipboard)
  await open()
  await press('Copier')
  expect(written).toHaveBeenCalledWith('secret-token')
  await toastSays('Copié', 'success')
  written.mockRejectedValueOnce(new Error('no'))
  await press('Copier')
  await vi.waitFor(() => expect(fieldOf('Jeton').type).toBe('text'))
})

const chip = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

it('tag picker enforces its limit and frees tags', async () => {
  await open()
  expect(screen.getByText('1 sur 2')).toBeTruthy()
  await user.click(chip('Survie'))
  expect(screen.getByText(named('2 tags au maximum : retirez-en un pour en choisir un autre.'))).toBeTruthy()
  expect(chip('Roleplay').disabled).toBe(true)
  await user.click(chip('PvP'))
  expect(chip('Roleplay').disabled).toBe(false)
  await submit()
  expect((await sent()).tags).toEqual(['survie'])
})

it('tag search ignores accents and keeps selected tags', async () => {
  await open({}, true)
  await write('Chercher un tag', 'ECO')
  const labels = screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)
  expect(labels.slice(0, 2)).toEqual(['Économie', 'PvP'])
  await write('Chercher un tag', 'zzz')
  expect(chip('PvP').checked).toBe(true)
  expect(screen.queryByRole('checkbox', { name: 'Économie' })).toBeNull()
})

it('tag search does not submit on Enter', async () => {
  await open({}, true)
  await user.type(fieldOf('Chercher un tag'), 'eco{Enter}')
  expect(send).not.toHaveBeenCalled()
})

it('multilingual field switches to the language in error', async () => {
  await open({ names: { fr: 'Un', en: 'One', es: '' } })
  expect(fieldOf('Titre').value).toBe('Un')
  await submit()
  await refusesField('Titre', 'Ce champ est obligatoire.')
  expect(fieldOf('Titre').lang).toBe('es')
  await write('Titre', 'Uno')
  expect(problemOf(fieldOf('Titre'))).toBeNull()
  await submit()
  expect((await sent()).names).toEqual({ fr: 'Un', en: 'One', es: 'Uno' })
})

it('required checkbox reports that it is unticked', async () => {
  await open({ agreed: false })
  await submit()
  await refusesField('J’accepte', 'Acceptez d’abord.')
  await user.click(fieldOf('J’accepte'))
  await submit()
  expect((await sent()).agreed).toBe(true)
})

it('save bar shows the state and resets changes', async () => {
  await open()
  const bar = () => plain(screen.getAllByRole('status').at(-1)?.textContent ?? '')
  expect(bar()).toBe('Tout est enregistré')
  await press('Enregistrer')
  expect(send).not.toHaveBeenCalled()
  await write('Jours', '31')
  expect(bar()).toBe('Modifications non enregistrées')
  await press('Enregistrer')
  await vi.waitFor(() => expect(bar()).toBe('Un champ est à corriger'))
  await press('Annuler')
  expect(fieldOf('Jours').value).toBe('7')
  expect(bar()).toBe('Tout est enregistré')
})

it('sends once however often the bar is pressed', async () => {
  let answer = (): void => {}
  send.mockReturnValue(new Promise((resolve) => (answer = resolve)))
  await open()
  await write('Jours', '9')
  await press('Enregistrer')
  await press('Enregistrer')
  await press('Annuler')
  expect(fieldOf('Jours').value).toBe('9')
  await act(async () => answer())
  expect(send).toHaveBeenCalledOnce()
})

it('says that a form is on its way', async () => {
  await openPage(<FormLoading fields={3} />, {})
  expect(screen.getByRole('status', { name: 'Chargement…' }).children).toHaveLength(4)
})
