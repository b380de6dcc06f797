import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { LANGUAGES } from '@/lib/i18n/languages'
import { renderPage } from '@/testing/render-page'
import { ColourField } from './colour-field'
import { Form } from './form'
import { useForm } from './use-form'

function Trial() {
  const form = useForm({
    schema: v.object({ colour: v.string() }),
    defaults: { colour: '' },
    submit: () => Promise.resolve(),
  })
  return (
    <Form form={form} label="Essai">
      <ColourField name="colour" label="Couleur" optional />
    </Form>
  )
}

test.each(LANGUAGES)('swatches have distinct colour names in %s', async (language) => {
  await renderPage(<Trial />, { path: '/', language })
  const names = (await screen.findAllByRole('radio')).map((radio) => radio.closest('label')?.textContent ?? '')
  expect(names).toHaveLength(11)
  for (const name of names) expect(name).toMatch(/^\p{L}[\p{L}\s’]*$/u)
  expect(new Set(names).size).toBe(names.length)
})

test('a swatch can be chosen by its name', async () => {
  await renderPage(<Trial />)
  const red = await screen.findByRole('radio', { name: 'Rouge' })
  await userEvent.setup().click(red)
  expect(red).toHaveProperty('checked', true)
})
