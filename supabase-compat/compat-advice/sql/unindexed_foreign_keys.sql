select
    format('Foreign key %s of %s.%s has no index that begins with its columns.', k.conname, n.nspname, c.relname) as detail,
    jsonb_build_object(
        'schema', n.nspname, 'name', c.relname, 'type', 'table', 'fkey_name', k.conname, 'fkey_columns', k.conkey
    ) as metadata,
    format('unindexed_foreign_keys_%s_%s_%s', n.nspname, c.relname, k.conname) as cache_key,
    format(
        'create index on %I.%I (%s);', n.nspname, c.relname,
        (
            select string_agg(quote_ident(a.attname), ', ' order by p.place)
            from unnest(k.conkey) with ordinality as p (number, place)
            join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = p.number
        )
    ) as statement
from pg_catalog.pg_constraint as k
join pg_catalog.pg_class as c on c.oid = k.conrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    k.contype = 'f'
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    and not exists (
        select
        from pg_catalog.pg_index as i
        where
            i.indrelid = k.conrelid and i.indisvalid
            and (string_to_array(i.indkey::text, ' ')::smallint[])[1:cardinality(k.conkey)] = k.conkey
    )
order by n.nspname, c.relname, k.conname
