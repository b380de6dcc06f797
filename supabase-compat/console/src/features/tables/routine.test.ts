import { expect, test } from 'vitest'
import {
  createRoutineSql,
  createTriggerSql,
  dropRoutineSql,
  replaceTriggerSql,
  triggerDraftOf,
  type RoutineDraft,
  type TriggerDraft,
} from './routine'
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

test('trigger SQL lists ordered events and quoted columns', () => {
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

test('a function has its own search path', () => {
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

test('a body cannot end its dollar quote', () => {
  const sql = createRoutineSql({ ...ROUTINE, comment: '', body: 'execute $$x$$; $body1$' })
  expect(sql).toContain('as $body2$\nexecute $$x$$; $body1$\n$body2$;')
})

test('an overload is dropped by its arguments', () => {
  const routine = { schema: 'public', name: 'f', identity: 'a text, b int', kind: 'function' as const }
  expect(dropRoutineSql({ ...routine } as Parameters<typeof dropRoutineSql>[0])).toBe(
    'drop function "public"."f"(a text, b int);',
  )
})

test('replaced trigger stays disabled', () => {
  const trigger = {
    name: 'touch',
    definition:
      'CREATE TRIGGER touch BEFORE INSERT OR UPDATE OF title ON songs FOR EACH ROW ' +
      "WHEN ((new.title <> ') EXECUTE'::text)) EXECUTE FUNCTION \"my (odd)\".keep('a, b', '1')",
    enabled: 'D',
    type: 1 + 2 + 4 + 16,
    columns: ['title'],
    routine_schema: 'my (odd)',
    routine: 'keep',
    replaceable: true,
  }
  const draft = triggerDraftOf(trigger)
  expect(draft).toEqual({
    name: 'touch',
    time: 'before',
    events: ['insert', 'update'],
    columns: ['title'],
    isForEachRow: true,
    when: "(new.title <> ') EXECUTE'::text)",
    routine: { schema: 'my (odd)', name: 'keep' },
    arguments: "'a, b', '1'",
  })
  expect(replaceTriggerSql(songs, trigger, { ...draft, events: ['insert'] })).toBe(
    [
      'create or replace trigger "touch"',
      '  before insert on "public"."songs"',
      '  for each row',
      "  when ((new.title <> ') EXECUTE'::text))",
      '  execute function "my (odd)"."keep"(\'a, b\', \'1\');',
      'alter table "public"."songs" disable trigger "touch";',
    ].join('\n'),
  )
})
