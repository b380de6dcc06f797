import * as v from 'valibot'
import { expect, it } from 'vitest'
import { requiredText, wholeNumber } from '@/lib/text/rules'
import { resolverOf } from './resolver'

const SCHEMA = v.pipe(
  v.object({
    name: requiredText(10),
    most: wholeNumber({ min: 1, max: 9 }),
    password: v.pipe(v.string(), v.nonEmpty('required'), v.minLength(6, 'tooShort:6')),
    confirmation: v.string(),
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['confirmation']],
      (typed) => typed.password === typed.confirmation,
      'passwordsDiffer',
    ),
    ['confirmation'],
  ),
)
const GOOD = { name: 'Ada', most: 3, password: 'secret', confirmation: 'secret' }

async function problemsOf(values: object): Promise<Record<string, unknown>> {
  const options = { fields: {}, shouldUseNativeValidation: false }
  const { errors } = await resolverOf(SCHEMA)({ ...GOOD, ...values } as typeof GOOD, undefined, options)
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error?.message]))
}

it('returns the parsed values when valid', async () => {
  const resolve = resolverOf(SCHEMA)
  const judged = await resolve({ ...GOOD, name: ' Ada ' }, undefined, { fields: {}, shouldUseNativeValidation: false })
  expect(judged).toEqual({ values: GOOD, errors: {} })
})

it('applies cross-field rules despite other errors', async () => {
  expect(await problemsOf({ name: '', confirmation: 'other' })).toEqual({
    name: 'required',
    confirmation: 'passwordsDiffer',
  })
  expect(await problemsOf({ most: null, confirmation: 'other' })).toEqual({
    most: 'number',
    confirmation: 'passwordsDiffer',
  })
})

it('reports the first error of a field', async () => {
  expect(await problemsOf({ password: '', confirmation: '' })).toEqual({ password: 'required' })
})
