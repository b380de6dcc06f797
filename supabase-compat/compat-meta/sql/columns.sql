-- Columns of all relations with rows. Types have their names of `information_schema.columns`; a
-- domain has the name of its base type.
select
    c.oid::int8 as table_id,
    n.nspname as schema,
    c.relname as "table",
    c.oid::text || '.' || a.attnum::text as id,
    a.attnum as ordinal_position,
    a.attname as name,
    case when a.atthasdef then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as default_value,
    case
        when e.typelem <> 0 and e.typlen = -1 then 'ARRAY'
        when en.nspname = 'pg_catalog' then pg_catalog.format_type(e.oid, null)
        else 'USER-DEFINED'
    end as data_type,
    e.typname as format,
    a.attidentity in ('a', 'd') as is_identity,
    case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end as identity_generation,
    a.attgenerated = 's' as is_generated,
    not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)) as is_nullable,
    c.relkind in ('r', 'p')
    or (c.relkind in ('v', 'f') and pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false)) as is_updatable,
    exists (
        select from pg_catalog.pg_constraint as k
        where k.conrelid = c.oid and k.contype = 'u' and k.conkey = array[a.attnum]
    ) as is_unique,
    -- The first check on only this column, without the `CHECK (` and `)` around it.
    (
        select pg_catalog.substr(checks.definition, 8, pg_catalog.length(checks.definition) - 8)
        from (
            select pg_catalog.pg_get_constraintdef(k.oid, true) as definition
            from pg_catalog.pg_constraint as k
            where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            order by k.oid
            limit 1
        ) as checks
    ) as "check",
    pg_catalog.array_to_json(
        array(
            select l.enumlabel
            from pg_catalog.pg_enum as l
            where l.enumtypid in (e.oid, e.typelem)
            order by l.enumsortorder
        )
    ) as enums,
    pg_catalog.col_description(c.oid, a.attnum) as comment
from pg_catalog.pg_attribute as a
inner join pg_catalog.pg_class as c on c.oid = a.attrelid
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
inner join pg_catalog.pg_type as t on t.oid = a.atttypid
inner join pg_catalog.pg_type as e on e.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
inner join pg_catalog.pg_namespace as en on en.oid = e.typnamespace
left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
where
    a.attnum > 0
    and not a.attisdropped
    and c.relkind in ('r', 'v', 'm', 'f', 'p')
    and not pg_catalog.pg_is_other_temp_schema(n.oid)
    and (
        pg_catalog.pg_has_role(c.relowner, 'usage')
        or pg_catalog.has_column_privilege(c.oid, a.attnum, 'select, insert, update, references')
    )
