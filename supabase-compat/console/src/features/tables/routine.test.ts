import { expect, test } from 'vitest'
import { createRoutineSql, createTriggerSql, dropRoutineSql, type RoutineDraft, type TriggerDraft } from './routine'
import { column, relation } from './test-relation'

const songs = relation([column('id', 'bigint'), column('ti"tle', 'text')])
const TRIGGER: TriggerDraft = {
  name: 'touch',
  time: 'before',
  events: ['update', 'insert'],
  columns: ['ti"tle'],
  isForEachRow: true,
  when: 'new.id > 0',
  routine: { schema: 'public', name: 'set_updated_at' },
  arguments: '',
}

test('a trigger names its events in order and its columns in quotes', () => {
  expect(createTriggerSql(songs, TRIGGER)).toBe(
    [
      'create trigger "touch"',
      '  before insert or update of "ti""tle" on "public"."songs"',
      '  for each row',
      '  when (new.id > 0)',
      '  execute function "public"."set_updated_at"();',
    ].join('\n'),
  )
})

const ROUTINE: RoutineDraft = {
  schema: 'public',
  name: 'greet',
  arguments: 'name text',
  returns: 'text',
  language: 'sql',
  volatility: 'stable',
  isSecurityDefiner: true,
  body: "select 'Hello ' || name",
  comment: "says 'hello'",
}

test('a function keeps its search path to itself', () => {
  expect(createRoutineSql(ROUTINE)).toBe(
    [
      'create or replace function "public"."greet"(name text)',
      'returns text',
      'language sql',
      'stable',
      'security definer',
      "set search_path = ''",
      'as $$',
      "select 'Hello ' || name",
      '$$;',
      `comment on function "public"."greet" is 'says ''hello''';`,
    ].join('\n'),
  )
})

test('no body ends the quote that it stands in', () => {
  const sql = createRoutineSql({ ...ROUTINE, comment: '', body: 'execute $$x$$; $body1$' })
  expect(sql).toContain('as $body2$\nexecute $$x$$; $body1$\n$body2$;')
})

test('an overload is dropped by its arguments', () => {
  const routine = { schema: 'public', name: 'f', identity: 'a text, b int', kind: 'function' as const }
  expect(dropRoutineSql({ ...routine } as Parameters<typeof dropRoutineSql>[0])).toBe(
    'drop function "public"."f"(a text, b int);',
  )
})
