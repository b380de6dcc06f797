import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, refusal, renderAt, SESSION } from '@/testing/render-screen'
import { isSecretName, readHeaders } from './api'

const HELLO = {
  name: 'hello',
  last_status: 200,
  last_called_at: '2026-01-01T00:00:00Z',
  last_took_ms: 12,
  process: { running: true, memory_bytes: 1000, starts: 1, ends: {} },
}
const LIST = { functions: [HELLO], missing: null, has_folder: true }
const NO_LOG = { result: [] }

it('lists functions and secrets by their names', async () => {
  answerWith({ 'GET services/project/functions': LIST, 'GET services/project/secrets': { secrets: ['STRIPE_KEY'] } })
  await renderAt('/functions')
  expect(await screen.findByRole('link', { name: 'hello' })).toBeTruthy()
  expect(await screen.findByText('STRIPE_KEY')).toBeTruthy()
})

it('saves a secret and clears its value', async () => {
  const sent = answerWith({
    'GET services/project/functions': LIST,
    'GET services/project/secrets': { secrets: [] },
    'PUT services/project/secrets/API_KEY': null,
  })
  const { user } = await renderAt('/functions')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, 'SUPABASE_X')
  await user.type(screen.getByLabelText('Value'), 'v1')
  await user.click(screen.getByRole('button', { name: 'Add the secret' }))
  expect(await screen.findByText(/COMPAT_FUNCTION_ are reserved/)).toBeTruthy()
  await user.clear(name)
  await user.type(name, 'API_KEY')
  await user.click(screen.getByRole('button', { name: 'Add the secret' }))
  await waitFor(() => {
    const request = sent.find(({ method }) => method === 'PUT')
    expect([request?.path, request?.body]).toEqual(['services/project/secrets/API_KEY', { value: 'v1' }])
  })
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Value').value).toBe(''))
})

it('shows that the functions folder is missing', async () => {
  answerWith({
    'GET services/project/functions': { functions: [], missing: null, has_folder: false },
    'GET services/project/secrets': () => refusal(409, { error: { code: 'no_functions_folder', message: 'None.' } }),
  })
  await renderAt('/functions')
  expect((await screen.findAllByText(/serves no folder of functions/)).length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: 'Add the secret' })).toBeNull()
})

it('calls functions as a role and shows responses', async () => {
  const sent = answerWith({
    'GET services/project/functions': LIST,
    'GET services/logs/logs.all': NO_LOG,
    'POST services/functions/v1/hello': () => refusal(418, { reason: 'teapot' }),
  })
  const { user } = await renderAt('/functions/hello')
  await user.type(await screen.findByRole('textbox', { name: /Headers/ }), 'x-own: yes')
  await user.click(screen.getByRole('button', { name: 'Call' }))
  const answer = within(await screen.findByRole('status', { name: 'Answer' }))
  expect(answer.getByText(/418/)).toBeTruthy()
  expect(answer.getByText(/teapot/)).toBeTruthy()
  const call = sent.find(({ path }) => path === 'services/functions/v1/hello')
  expect(call?.headers.get('x-own')).toBe('yes')
  expect(call?.headers.get('x-console-role')).toBe('anon')
})

it('shows no call form to read-only operators', async () => {
  const operator = { ...SESSION.operator, role: 'read_only' as const }
  answerWith({ 'GET session': { ...SESSION, operator }, 'GET services/logs/logs.all': NO_LOG })
  await renderAt('/functions/hello')
  expect(await screen.findByText(/Your role calls no function/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Call' })).toBeNull()
})

it('shows the output of a function', async () => {
  answerWith({
    'GET services/logs/logs.all': {
      result: [
        { id: '1', timestamp: 1_767_225_600_000_000, event_message: 'it works', request_id: 'r1', severity: 'log' },
      ],
    },
  })
  await renderAt('/functions/hello')
  expect((await screen.findByRole('link', { name: 'it works' })).getAttribute('href')).toBe('/logs?request=r1')
})

it('parses one header a line', () => {
  expect(readHeaders('A: 1\n\n x-b:two words ')).toEqual({ headers: { a: '1', 'x-b': 'two words' }, invalidLine: null })
  for (const line of ['no colon', 'a b: c', 'a: \u{1F600}']) expect(readHeaders(line).invalidLine).toBe(line)
})

it('accepts the same names as the server', () => {
  for (const name of ['A', '_x9']) expect(isSecretName(name)).toBe(true)
  for (const name of ['', '9A', 'A-B', 'SUPABASE_URL', 'DENO_DIR', 'A B']) expect(isSecretName(name)).toBe(false)
})
