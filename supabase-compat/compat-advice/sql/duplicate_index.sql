with alike as (
    select n.nspname, c.relname, c.relkind, array_agg(i.indexname order by i.indexname) as names
    from pg_catalog.pg_indexes as i
    join pg_catalog.pg_namespace as n on n.nspname = i.schemaname
    join pg_catalog.pg_class as c on c.relname = i.tablename and c.relnamespace = n.oid
    where
        c.relkind in ('r', 'm')
        and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
        and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    group by n.nspname, c.relname, c.relkind, replace(i.indexdef, i.indexname, '')
    having count(*) > 1
)
select
    format('Indexes of %s.%s are alike: %s. Keep one of them.', a.nspname, a.relname, array_to_string(a.names, ', ')) as detail,
    jsonb_build_object(
        'schema', a.nspname, 'name', a.relname,
        'type', case a.relkind when 'r' then 'table' else 'materialized view' end,
        'indexes', a.names
    ) as metadata,
    format('duplicate_index_%s_%s_%s', a.nspname, a.relname, a.names) as cache_key,
    (
        select string_agg(format('drop index %I.%I;', a.nspname, o.name), ' ' order by o.place)
        from unnest(a.names) with ordinality as o (name, place)
        where
            o.place > 1
            -- The index of a constraint can only be dropped with the constraint.
            and not exists (
                select
                from pg_catalog.pg_constraint as k
                where k.conindid = to_regclass(format('%I.%I', a.nspname, o.name))
            )
    ) as statement
from alike as a
order by a.nspname, a.relname, a.names
