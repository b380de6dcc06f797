import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { descriptionHtml } from './description-html'
import { isPromoted, prestigeEnd } from './prestige-status'
import { newSecret, votifierSchema, webhookSchema } from './receivers'
import { BLAMED, namedRefusal, REFUSALS } from './refusals'

it.each([
  ['', ''],
  ['  \n ', ''],
  ['One line', '<p>One line</p>'],
  ['One\ntwo\n\n\nthree', '<p>One<br>two</p><p>three</p>'],
  ['**bold** and *slanted*', '<p><strong>bold</strong> and <em>slanted</em></p>'],
  ['1 < 2 & 3 > 2', '<p>1 &lt; 2 &amp; 3 &gt; 2</p>'],
  [' <p>Kept <b>as</b> it is</p> ', '<p>Kept <b>as</b> it is</p>'],
])('writes a description %j as the editor does', (text, html) => {
  expect(descriptionHtml(text)).toBe(html)
})

const NOW = Date.parse('2026-11-26T12:00:00Z')
it.each([
  [true, '2026-11-26T12:00:01Z', true],
  [true, '2026-11-26T12:00:00Z', false],
  [true, null, false],
  [false, '2099-01-01T00:00:00Z', false],
])('promotes a server (sponsored: %s) until %s', (is_sponsored, prestige_expires_at, runs) => {
  expect(prestigeEnd({ is_sponsored, prestige_expires_at }, NOW)).toBe(runs ? prestige_expires_at : null)
})

it('treats expired Prestige as not promoted', () => {
  expect(isPromoted({ is_sponsored: true, prestige_expires_at: '2099-01-01T00:00:00Z' })).toBe(true)
  expect(isPromoted({ is_sponsored: true, prestige_expires_at: '2020-01-01T00:00:00Z' })).toBe(false)
})

const LISTENER = { host: 'mc.example', port: 8192, protocol: 'auto', token: '', public_key: '', is_active: true }
const votifier = votifierSchema({ missing: 'missing', port: 'port' })
const wrong = (schema: v.GenericSchema, values: object) =>
  (v.safeParse(schema, values).issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)

it.each([
  [{ token: 'abc' }, []],
  [{ public_key: 'MIIB' }, []],
  [{}, ['token: missing']],
  [{ protocol: 'v2', public_key: 'MIIB' }, ['token: missing']],
  [{ protocol: 'v1', token: 'abc' }, ['public_key: missing']],
  [{ protocol: 'v1', public_key: 'MIIB' }, []],
  [{ protocol: 'v2', token: 'abc', public_key: 'x'.repeat(4001) }, []],
  [{ protocol: 'v1', public_key: 'MIIB', token: 'x'.repeat(501) }, []],
  [{ token: 'x'.repeat(501) }, ['token: tooLong:500']],
  [{ token: 'abc', host: ' ' }, ['host: missing']],
  [{ token: 'abc', port: null }, ['port: port']],
  [{ token: 'abc', port: 0 }, ['port: port']],
  [{ token: 'abc', port: 65_536 }, ['port: port']],
  [{ token: 'abc', port: 25.5 }, ['port: port']],
])('requires of listener %j its version’s fields', (values, problems) => {
  expect(wrong(votifier, { ...LISTENER, ...values })).toEqual(problems)
})

const webhook = webhookSchema('missing', 'address')
it.each([
  ['https://a.example/?n={nick}', []],
  ['HTTP://A.EXAMPLE', []],
  ['ftp://a.example', ['url: address']],
  ['https://{nick}.example', ['url: address']],
  ['', ['url: missing', 'url: address']],
])('validates webhook address %j', (url, problems) => {
  expect(wrong(webhook, { url, secret: '12345678', format: 'json', is_active: true })).toEqual(problems)
})

it('generates unique secrets of 24 bytes', () => {
  const made = new Set(Array.from({ length: 50 }, newSecret))
  expect(made.size).toBe(50)
  for (const secret of made) expect(atob(secret.replace('whsec_', ''))).toHaveLength(24)
})

it.each([
  ['duplicate key value violates unique constraint "servers_game_name_key"', 'name_taken', 'name'],
  ['violates unique constraint "servers_game_address_key"', 'address_taken', 'ip_address'],
  ['Invalid server name', 'name_invalid', 'name'],
  ['Invalid IP address', 'address_invalid', 'ip_address'],
])('knows which field %j is about', (message, code, field) => {
  const named = namedRefusal(new ApiError('23505', message, 409))
  expect([named.code, named.status]).toEqual([code, 409])
  expect(BLAMED[named.code as keyof typeof BLAMED]).toBe(field)
  expect(Object.hasOwn(REFUSALS, named.code)).toBe(true)
})

it('leaves other refusals as they are', () => {
  const refusal = new ApiError('42501', 'permission denied', 403)
  expect(namedRefusal(refusal)).toBe(refusal)
  expect(namedRefusal(new ApiError('P0001', 'A banner is part of Prestige', 400)).code).toBe('prestige_only')
})
