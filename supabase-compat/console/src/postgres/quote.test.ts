import { describe, expect, test } from 'vitest'
import { Parameters, identifier, literal, qualified } from './quote'

describe('quoting', () => {
  test('quotes in names are escaped', () => {
    expect(identifier('we"ird; drop table x')).toBe('"we""ird; drop table x"')
    expect(qualified('My Schema', 'a.b')).toBe('"My Schema"."a.b"')
  })

  test('quotes and backslashes in texts are escaped', () => {
    expect(literal("it's")).toBe("'it''s'")
    expect(literal("\\' or 1=1")).toBe(" E'\\\\'' or 1=1'")
  })

  test('parameters are numbered and typed', () => {
    const parameters = new Parameters()
    expect([parameters.add('1', 'bigint'), parameters.add(null, '"My Type"')]).toEqual([
      '$1::text::bigint',
      '$2::text::"My Type"',
    ])
    expect(parameters.values).toEqual(['1', null])
  })
})
