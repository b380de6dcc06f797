import { expect, test } from 'vitest'
import { addressOf, isServer, questionsOf, type Description } from './question'

const description: Description = {
  paths: {
    '/api/v1/servers/{server}/votes/{ip}': {
      get: {
        tags: ['votes'],
        parameters: [
          { name: 'server', in: 'path', required: true },
          { name: 'ip', in: 'path', required: true },
        ],
      },
    },
    '/v1/votes/claim-username': { get: { tags: ['top-serveurs.net'] } },
    '/v1/votes/check': {
      get: { tags: ['top-serveurs.net'], parameters: [{ name: 'server_token', in: 'query', required: true }] },
    },
    '/api/openapi.json': { get: {} },
    '/only/post': {},
  },
}

test('what changes nothing may be asked', () => {
  const questions = questionsOf(description)
  expect(questions.map(({ path }) => path)).toEqual(['/api/v1/servers/{server}/votes/{ip}', '/v1/votes/check'])
  expect(questions.flatMap(({ fields }) => fields.filter(isServer).map(({ name }) => name))).toEqual([
    'server',
    'server_token',
  ])
})

test('what is filled in becomes an address', () => {
  const [vote, check] = questionsOf(description)
  expect(vote && addressOf(vote, { server: ' a/b ', ip: '2001:db8::1' })).toBe(
    '/api/v1/servers/a%2Fb/votes/2001%3Adb8%3A%3A1',
  )
  expect(check && addressOf(check, { server_token: 'x&y' })).toBe('/v1/votes/check?server_token=x%26y')
  expect(check && addressOf(check, {})).toBe('/v1/votes/check')
  expect(vote && addressOf(vote, { ip: '203.0.113.1' })).toBe('/api/v1/servers/{server}/votes/203.0.113.1')
})
