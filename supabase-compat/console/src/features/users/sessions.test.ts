import { expect, it } from 'vitest'
import { impersonationSql } from './acting'
import type { User } from './api'
import { clientOf } from './sessions'

it('names a session by its browser and system', () => {
  const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  expect(clientOf(`Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit} Version/18.1 Safari/604.1`)).toBe(
    'Safari 18 · iOS',
  )
  expect(clientOf('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox 140 · Windows')
  expect(clientOf('curl/8.5')).toBe('curl/8.5')
  expect(clientOf(null)).toBeNull()
})

it('escapes quotes in claims', () => {
  const user = { id: 'u1', role: '', user_metadata: { name: "O'Hara \\" }, app_metadata: {} } as unknown as User
  expect(impersonationSql(user)).toBe(
    String.raw`select set_config('request.jwt.claims', ` +
      String.raw` E'{"sub":"u1","role":"authenticated","app_metadata":{},"user_metadata":{"name":"O''Hara \\\\"}}'` +
      `, true), set_config('role', 'authenticated', true)`,
  )
})
