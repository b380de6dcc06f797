/** Statements that read relations from PostgreSQL's catalog, and the types of their results. */

type RelationKind = 'table' | 'partitioned' | 'view' | 'materialized' | 'foreign'

/** An entry in the list of relations. */
export interface RelationSummary {
  schema: string
  name: string
  kind: RelationKind
  /** From statistics; negative if the table was never analyzed. */
  estimated_rows: number
  row_security: boolean
  policies: number
}

export interface Column {
  name: string
  /** As PostgreSQL spells it in a cast, e.g. `character varying(20)`. */
  type: string
  /** The name of the type below a domain, e.g. `int4`, `_text`. */
  base: string
  /** `pg_type.typcategory` of the type below a domain. */
  category: string
  nullable: boolean
  default: string | null
  /** `a` always, `d` by default; empty for no identity column. */
  identity: '' | 'a' | 'd'
  generated: boolean
  /** The labels of an enum, or of the enum in an array. */
  labels: string[] | null
  sortable: boolean
  comment: string | null
}

export interface Constraint {
  name: string
  /** `p` primary key, `u` unique, `f` foreign key, `c` check, `x` exclusion. */
  type: string
  definition: string
  columns: string[]
  target_schema: string | null
  target_table: string | null
  target_columns: string[] | null
}

/** A foreign key of another table that references this one. */
interface Reference {
  schema: string
  table: string
  name: string
  /** `pg_constraint.confdeltype`: `a` nothing, `r` restrict, `c` cascade, `n` set null, `d` set default. */
  on_delete: string
}

interface Index {
  name: string
  definition: string
  unique: boolean
  primary: boolean
  valid: boolean
  bytes: number
  scans: number
}

export interface Trigger {
  name: string
  definition: string
  /** `pg_trigger.tgenabled`; `D` is disabled. */
  enabled: string
  /** `pg_trigger.tgtype`: time, events and level, a bit each. */
  type: number
  /** The columns of an update trigger; empty for all. */
  columns: string[]
  routine_schema: string
  routine: string
  /**
   * Whether `create or replace` can replace it: neither a constraint trigger nor one with
   * transition tables.
   */
  replaceable: boolean
}

export interface Policy {
  name: string
  /** `r` select, `a` insert, `w` update, `d` delete, `*` all. */
  command: string
  permissive: boolean
  roles: string[]
  using: string | null
  check: string | null
}

export interface Relation {
  schema: string
  name: string
  kind: RelationKind
  estimated_rows: number
  bytes: number
  comment: string | null
  row_security: boolean
  row_security_forced: boolean
  columns: Column[]
  /**
   * The columns of the primary key, else of a unique index without nulls; empty if rows have no
   * key.
   */
  key: string[]
  constraints: Constraint[]
  references: Reference[]
  indexes: Index[]
  triggers: Trigger[]
  policies: Policy[]
  /** Roles of the API that may read it. */
  readable_by: string[]
}

const KIND = `case c.relkind when 'r' then 'table' when 'p' then 'partitioned' when 'v' then 'view'
    when 'm' then 'materialized' else 'foreign' end`

/** The estimate of a partitioned table is the sum over its partitions. */
const ESTIMATE = `case when c.relkind = 'p' then (
      select coalesce(sum(p.reltuples) filter (where p.reltuples >= 0), -1)
      from pg_catalog.pg_partition_tree(c.oid) as t join pg_catalog.pg_class as p on p.oid = t.relid
      where t.isleaf
    ) else c.reltuples end::float8`

/** Schemas of the services, which come after those of the project. */
const SERVICES = '^(_.*|auth|storage|realtime|vault|cron|extensions|graphql.*|net|pgmq.*|supabase_.*)$'

/** All relations with rows, except system and temporary ones. */
export const RELATIONS = `select n.nspname as schema, c.relname as name, ${KIND} as kind, ${ESTIMATE} as estimated_rows,
  c.relrowsecurity as row_security,
  (select count(*) from pg_catalog.pg_policy as p where p.polrelid = c.oid)::int as policies
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
  and not c.relispartition
  and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_any_column_privilege(c.oid, 'select')
order by n.nspname = 'public' desc, n.nspname ~ '${SERVICES}', n.nspname ~ '^_', n.nspname, c.relname`

/** One relation as a JSON value: \`$1\` is the schema, \`$2\` the name. */
export const RELATION = `select pg_catalog.jsonb_build_object(
  'schema', n.nspname, 'name', c.relname, 'kind', ${KIND}, 'estimated_rows', ${ESTIMATE},
  'bytes', pg_catalog.pg_total_relation_size(c.oid), 'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
  'row_security', c.relrowsecurity, 'row_security_forced', c.relforcerowsecurity,
  'columns', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'base', e.typname,
      'category', e.typcategory, 'nullable', not a.attnotnull,
      'default', case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
      'identity', a.attidentity, 'generated', a.attgenerated <> '',
      'labels', (
        select jsonb_agg(l.enumlabel order by l.enumsortorder) from pg_catalog.pg_enum as l
        where l.enumtypid = e.oid or (e.typelem <> 0 and e.typlen = -1 and l.enumtypid = e.typelem)
      ),
      'sortable', e.typcategory in ('A', 'E', 'R', 'S') or exists (
        select from pg_catalog.pg_opclass as o
        where o.opcmethod = 403 and o.opcdefault and o.opcintype = e.oid
      ),
      'comment', pg_catalog.col_description(c.oid, a.attnum)
    ) order by a.attnum), '[]')
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    join pg_catalog.pg_type as e on e.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
    left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ),
  'key', coalesce((
    select (
      select jsonb_agg(a.attname order by k.place)
      from unnest(i.indkey::int2[]) with ordinality as k (number, place)
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number
      where k.place <= i.indnkeyatts
    )
    from pg_catalog.pg_index as i
    where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null
      and i.indexprs is null and not exists (
        select from unnest(i.indkey::int2[]) as k (number)
        join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number where not a.attnotnull
      )
    order by i.indisprimary desc, i.indnkeyatts, i.indexrelid limit 1
  ), '[]'),
  'constraints', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', k.conname, 'type', k.contype, 'definition', pg_catalog.pg_get_constraintdef(k.oid, true),
      'columns', (
        select coalesce(jsonb_agg(a.attname order by u.place), '[]') from unnest(k.conkey) with ordinality as u (number, place)
        join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = u.number
      ),
      'target_schema', tn.nspname, 'target_table', t.relname,
      'target_columns', (
        select jsonb_agg(a.attname order by u.place) from unnest(k.confkey) with ordinality as u (number, place)
        join pg_catalog.pg_attribute as a on a.attrelid = k.confrelid and a.attnum = u.number
      )
    ) order by k.contype <> 'p', k.conname), '[]')
    from pg_catalog.pg_constraint as k
    left join pg_catalog.pg_class as t on t.oid = k.confrelid
    left join pg_catalog.pg_namespace as tn on tn.oid = t.relnamespace
    where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
  ),
  'references', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'schema', sn.nspname, 'table', s.relname, 'name', k.conname, 'on_delete', k.confdeltype
    ) order by sn.nspname, s.relname, k.conname), '[]')
    from pg_catalog.pg_constraint as k
    join pg_catalog.pg_class as s on s.oid = k.conrelid
    join pg_catalog.pg_namespace as sn on sn.oid = s.relnamespace
    where k.confrelid = c.oid and k.contype = 'f' and k.conparentid = 0
  ),
  'indexes', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', x.relname, 'definition', pg_catalog.pg_get_indexdef(i.indexrelid), 'unique', i.indisunique,
      'primary', i.indisprimary, 'valid', i.indisvalid, 'bytes', pg_catalog.pg_relation_size(i.indexrelid),
      'scans', coalesce(pg_catalog.pg_stat_get_numscans(i.indexrelid), 0)
    ) order by i.indisprimary desc, x.relname), '[]')
    from pg_catalog.pg_index as i join pg_catalog.pg_class as x on x.oid = i.indexrelid where i.indrelid = c.oid
  ),
  'triggers', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', t.tgname, 'definition', pg_catalog.pg_get_triggerdef(t.oid, true), 'enabled', t.tgenabled,
      'type', t.tgtype, 'columns', (
        select coalesce(jsonb_agg(a.attname order by k.place), '[]')
        from unnest(t.tgattr::int2[]) with ordinality as k (number, place)
        join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number
      ),
      'routine_schema', fn.nspname, 'routine', f.proname,
      'replaceable', t.tgconstraint = 0 and t.tgparentid = 0 and t.tgoldtable is null and t.tgnewtable is null
    ) order by t.tgname), '[]')
    from pg_catalog.pg_trigger as t
    join pg_catalog.pg_proc as f on f.oid = t.tgfoid
    join pg_catalog.pg_namespace as fn on fn.oid = f.pronamespace
    where t.tgrelid = c.oid and not t.tgisinternal
  ),
  'policies', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', p.polname, 'command', p.polcmd, 'permissive', p.polpermissive,
      'roles', case when p.polroles = '{0}' then '["public"]' else (
        select jsonb_agg(r.rolname order by r.rolname) from pg_catalog.pg_roles as r where r.oid = any (p.polroles)
      ) end,
      'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)
    ) order by p.polname), '[]')
    from pg_catalog.pg_policy as p where p.polrelid = c.oid
  ),
  'readable_by', (
    select coalesce(jsonb_agg(r.rolname order by r.rolname), '[]') from pg_catalog.pg_roles as r
    where r.rolname in ('anon', 'authenticated') and pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')
      and pg_catalog.has_table_privilege(r.oid, c.oid, 'select')
  )
) as relation
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`

/** Names for completion: one row for each relation, limited so that the browser stays fast. */
export const NAMES = `select n.nspname as schema, c.relname as name,
  pg_catalog.jsonb_agg(a.attname order by a.attnum) as columns
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname not like 'pg\\_%'
  and n.nspname <> 'information_schema'
group by n.nspname, c.relname
order by n.nspname = 'public' desc, n.nspname, c.relname
limit 2000`

/** Tables and foreign keys of a schema, for its diagram. */
export const PICTURE = `select c.relname as name,
  (
    select pg_catalog.jsonb_agg(jsonb_build_object('name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'key', exists (
        select from pg_catalog.pg_index as i
        where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)
      )) order by a.attnum)
    from pg_catalog.pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) as columns,
  (
    select coalesce(pg_catalog.jsonb_agg(jsonb_build_object('name', k.conname, 'schema', tn.nspname, 'table', t.relname,
      'columns', (
        select jsonb_agg(a.attname order by u.place) from unnest(k.conkey) with ordinality as u (number, place)
        join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = u.number
      ))), '[]')
    from pg_catalog.pg_constraint as k
    join pg_catalog.pg_class as t on t.oid = k.confrelid
    join pg_catalog.pg_namespace as tn on tn.oid = t.relnamespace
    where k.conrelid = c.oid and k.contype = 'f'
  ) as foreign_keys
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname
limit 300`

/** Whether single rows of a relation can be changed. */
export function isEditable(relation: Relation): boolean {
  return relation.kind === 'table' || (relation.kind === 'partitioned' && relation.key.length > 0)
}

/** The foreign key on this column alone, if there is one. */
export function foreignKeyOf(relation: Relation, column: string): Constraint | undefined {
  return relation.constraints.find(({ type, columns }) => type === 'f' && columns.length === 1 && columns[0] === column)
}
