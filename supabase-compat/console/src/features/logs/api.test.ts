import { expect, it } from 'vitest'
import { moment, quoted, requestIdOf, statementOf, type LogFilter } from './api'

const ALL: LogFilter = { source: 'requests', service: '', status: '', text: '', user: '', range: '1h' }

it('has no condition without a filter', () => {
  expect(statementOf(ALL)).toMatch(/unnest\(response\.headers\) as h order by timestamp desc limit 100$/)
})

it('filters by service, status, path and account', () => {
  const sql = statementOf({ ...ALL, service: 'rest', status: '4xx', text: 'a.b', user: 'u1' })
  expect(sql).toContain("starts_with(request.path, '/rest/v1')")
  expect(sql).toContain('response.status_code between 400 and 499')
  expect(sql).toContain(String.raw`regexp_contains(request.path, '(?i)a\\.b')`)
  expect(sql).toContain("sb.auth_user = 'u1'")
})

it('escapes quotes and backslashes in a text', () => {
  expect(quoted(String.raw`it's \ here`)).toBe(String.raw`'it''s \\ here'`)
})

it('searches messages in sources without paths', () => {
  expect(statementOf({ ...ALL, source: 'database', text: 'x', status: '5xx' })).toContain(
    "regexp_contains(event_message, '(?i)x') order by",
  )
})

it('formats timestamps to the microsecond', () => {
  expect(moment(1_767_225_600_123_456)).toBe('2026-01-01T00:00:00.123456Z')
  expect(moment(1_767_225_600_000_007)).toBe('2026-01-01T00:00:00.000007Z')
})

it('reads the request id of a PostgreSQL line', () => {
  const line = { id: '1', timestamp: 1, event_message: '' }
  expect(requestIdOf({ ...line, application: 'request abc' })).toBe('abc')
  expect(requestIdOf({ ...line, application: 'psql' })).toBeNull()
  expect(requestIdOf({ ...line, request_id: 'r' })).toBe('r')
})
