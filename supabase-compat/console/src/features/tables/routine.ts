/** Functions and triggers: their rows in the catalog, and the statements that create them. */
import { queryOptions } from '@tanstack/react-query'
import type { Relation, Trigger } from '@/postgres/catalog'
import { identifier, literal, qualified } from '@/postgres/quote'
import { objectsOf } from '@/postgres/relations'
import { runQuery } from '@/postgres/run-query'
import { switchTriggerSql } from './definition'

export interface Routine {
  id: string
  schema: string
  name: string
  arguments: string
  /** The argument types, which distinguish it from others of the same name. */
  identity: string
  returns: string
  language: string
  kind: 'function' | 'procedure'
  security_definer: boolean
  comment: string | null
  /** The extension that owns it. */
  extension: string | null
  definition: string
}

const ROUTINES = `select p.oid::text as id, n.nspname as schema, p.proname as name,
  pg_catalog.pg_get_function_arguments(p.oid) as arguments,
  pg_catalog.pg_get_function_identity_arguments(p.oid) as identity,
  coalesce(pg_catalog.pg_get_function_result(p.oid), '') as returns, l.lanname as language,
  case p.prokind when 'p' then 'procedure' else 'function' end as kind, p.prosecdef as security_definer,
  pg_catalog.obj_description(p.oid, 'pg_proc') as comment,
  (
    select e.extname from pg_catalog.pg_depend as d join pg_catalog.pg_extension as e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e' limit 1
  ) as extension,
  pg_catalog.pg_get_functiondef(p.oid) as definition
from pg_catalog.pg_proc as p
join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
join pg_catalog.pg_language as l on l.oid = p.prolang
where n.nspname = $1 and p.prokind in ('f', 'p')
order by p.proname, 5
limit 1000`

export const routinesQuery = (schema: string) =>
  queryOptions({
    queryKey: ['catalog', 'routines', schema],
    queryFn: async ({ signal }) =>
      objectsOf(await runQuery({ query: ROUTINES, parameters: [schema], signal })) as unknown as Routine[],
  })

const TRIGGER_FUNCTIONS = `select n.nspname as schema, p.proname as name
from pg_catalog.pg_proc as p join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where p.prorettype = 'pg_catalog.trigger'::regtype and n.nspname not like 'pg\\_%'
  and n.nspname <> 'information_schema'
order by n.nspname = 'public' desc, n.nspname, p.proname`

export const triggerFunctionsQuery = queryOptions({
  queryKey: ['catalog', 'trigger-functions'],
  queryFn: async ({ signal }) =>
    objectsOf(await runQuery({ query: TRIGGER_FUNCTIONS, signal })) as unknown as { schema: string; name: string }[],
})

export const TRIGGER_EVENTS = ['insert', 'update', 'delete', 'truncate'] as const
type TriggerEvent = (typeof TRIGGER_EVENTS)[number]
export const TRIGGER_TIMES = ['before', 'after', 'instead of'] as const

export interface TriggerDraft {
  name: string
  time: (typeof TRIGGER_TIMES)[number]
  events: TriggerEvent[]
  /** The columns of an update trigger; empty for all. */
  columns: string[]
  isForEachRow: boolean
  /** A condition, as written. */
  when: string
  /** The parts of `schema.name`. */
  routine: { schema: string; name: string } | null
  /** Constants, separated by commas, as written. */
  arguments: string
}

/** Bits of `pg_trigger.tgtype` (PostgreSQL, `catalog/pg_trigger.h`). */
const ROW = 1
const BEFORE = 2
const INSTEAD = 64
const EVENT_BITS = { insert: 4, delete: 8, update: 16, truncate: 32 } as const

/**
 * A trigger in the form. Condition and constants are parsed from its definition, which alone has
 * them.
 */
export function triggerDraftOf(trigger: Trigger): TriggerDraft {
  const { definition, type } = trigger
  const [, when = ''] = / WHEN \((.*)\) EXECUTE (?:FUNCTION|PROCEDURE) /s.exec(definition) ?? []
  const [, constants = ''] =
    / EXECUTE (?:FUNCTION|PROCEDURE) (?:"(?:[^"]|"")*"|[^("])+\((.*)\)$/s.exec(definition) ?? []
  return {
    name: trigger.name,
    time: type & BEFORE ? 'before' : type & INSTEAD ? 'instead of' : 'after',
    events: TRIGGER_EVENTS.filter((event) => type & EVENT_BITS[event]),
    columns: trigger.columns,
    isForEachRow: (type & ROW) !== 0,
    when,
    routine: { schema: trigger.routine_schema, name: trigger.routine },
    arguments: constants,
  }
}

/** Replaces a trigger in place, so that no change is missed; a disabled one stays disabled. */
export function replaceTriggerSql(relation: Relation, trigger: Trigger, draft: TriggerDraft): string {
  const sql = createTriggerSql(relation, draft).replace(/^create trigger/, 'create or replace trigger')
  return trigger.enabled === 'D' ? `${sql}\n${switchTriggerSql(relation, trigger.name, false)}` : sql
}

export function createTriggerSql(relation: Relation, draft: TriggerDraft): string {
  const events = TRIGGER_EVENTS.filter((event) => draft.events.includes(event)).map((event) =>
    event === 'update' && draft.columns.length > 0 ? `update of ${draft.columns.map(identifier).join(', ')}` : event,
  )
  const { routine } = draft
  return [
    `create trigger ${identifier(draft.name.trim())}`,
    `  ${draft.time} ${events.join(' or ')} on ${qualified(relation.schema, relation.name)}`,
    `  for each ${draft.isForEachRow ? 'row' : 'statement'}`,
    ...(draft.when.trim() ? [`  when (${draft.when.trim()})`] : []),
    `  execute function ${routine ? qualified(routine.schema, routine.name) : ''}(${draft.arguments.trim()});`,
  ].join('\n')
}

export const VOLATILITIES = ['volatile', 'stable', 'immutable'] as const
export const ROUTINE_LANGUAGES = ['plpgsql', 'sql'] as const

export interface RoutineDraft {
  schema: string
  name: string
  /** As written: `id bigint, name text default ''`. */
  arguments: string
  returns: string
  language: (typeof ROUTINE_LANGUAGES)[number]
  volatility: (typeof VOLATILITIES)[number]
  isSecurityDefiner: boolean
  body: string
  comment: string
}

/** The initial body of a new trigger function. */
export const TRIGGER_BODY = 'begin\n  new.updated_at := now();\n  return new;\nend'

/** A dollar quote that the body does not contain, so that the body cannot end it. */
function dollarQuote(body: string): string {
  let tag = '$$'
  for (let count = 1; body.includes(tag); count++) tag = `$body${count}$`
  return tag
}

export function createRoutineSql(draft: RoutineDraft): string {
  const name = qualified(draft.schema, draft.name.trim())
  const quote = dollarQuote(draft.body)
  const lines = [
    `create or replace function ${name}(${draft.arguments.trim()})`,
    `returns ${draft.returns.trim()}`,
    `language ${draft.language}`,
    ...(draft.volatility === 'volatile' ? [] : [draft.volatility]),
    ...(draft.isSecurityDefiner ? ['security definer'] : []),
    // With another search path, a caller could shadow our functions by their own.
    `set search_path = ''`,
    `as ${quote}\n${draft.body.trim()}\n${quote};`,
  ]
  if (draft.comment.trim()) lines.push(`comment on function ${name} is ${literal(draft.comment.trim()).trim()};`)
  return lines.join('\n')
}

export function dropRoutineSql({ schema, name, identity, kind }: Routine): string {
  return `drop ${kind} ${qualified(schema, name)}(${identity});`
}
