import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { ApiError } from '@/lib/api/errors'
import { refusalKey, useRefusal, type Refusals } from './refusal'

function Words({ cause, overrides }: { cause: unknown; overrides?: Refusals }) {
  const words = useRefusal(overrides)
  return <p>{words(cause)}</p>
}

const refused = (code: string, status = 400, detail?: string) =>
  new ApiError(code, 'The database speaks English', status, detail === undefined ? {} : { detail })

it('shows known codes in the page language', async () => {
  await renderPage(<Words cause={refused('over_request_rate_limit', 429)} />, { language: 'es' })
  expect(screen.getByText('Demasiados intentos. Espera un momento antes de volver a intentarlo.')).toBeTruthy()
})

it('shows a general message for unknown codes', async () => {
  await renderPage(<Words cause={refused('flux_capacitor_empty')} />)
  expect(
    screen.getByText('Une erreur est survenue (code flux_capacitor_empty). Réessayez dans un instant.'),
  ).toBeTruthy()
})

it.each([
  ['a code', refused('23505', 409), 'errors:exists'],
  ['what a procedure says with its code', refused('P0001', 400, 'server_limit_reached'), 'errors:serverLimit'],
  ['a text a procedure refuses with', new ApiError('42501', 'Second factor required', 403), 'errors:secondFactor'],
  ['a status without a known code', refused('brand_new', 503), 'errors:server'],
  ['a timeout', refused('unknown', 504), 'errors:slow'],
  ['what nobody may who is not signed in', refused('42501', 401), 'errors:sessionEnded'],
  ['a failed request', new TypeError('Failed to fetch'), 'errors:offline'],
  ['nothing anybody knows', refused('toString', 400), null],
])('finds the sentence by %s', (_, cause, key) => {
  expect(refusalKey(cause)).toBe(key)
})

it('says what a caller knows better', () => {
  expect(refusalKey(refused('23505', 409), { '23505': 'errors:usernameTaken' })).toBe('errors:usernameTaken')
  expect(refusalKey(refused('42501', 401), { '401': 'errors:offline', '42501': 'errors:gone' })).toBe('errors:offline')
})
