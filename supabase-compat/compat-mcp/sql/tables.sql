-- $1: schemas, or an empty list for all but PostgreSQL's own; $2: whether columns and keys are
-- listed.
with listed as (
    select
        c.oid, n.nspname, c.relname, c.relrowsecurity,
        n.nspname || '.' || c.relname as name,
        pg_stat_get_live_tuples(c.oid) as rows,
        obj_description(c.oid, 'pg_class') as comment
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where
        c.relkind in ('r', 'p')
        and not pg_is_other_temp_schema(n.oid)
        and case cardinality($1::text[])
            when 0 then n.nspname not in ('information_schema', 'pg_catalog', 'pg_toast', '_timescaledb_internal')
            else n.nspname = any ($1::text[])
        end
    order by n.nspname, c.relname
),
details as (
    select
        l.oid,
        jsonb_build_object(
            'columns',
            coalesce(
                (
                    select
                        jsonb_agg(
                            jsonb_build_object(
                                'name', a.attname,
                                'data_type', case
                                    when t.typelem <> 0 and t.typlen = -1 then 'ARRAY'
                                    when t.typnamespace = 'pg_catalog'::regnamespace then format_type(a.atttypid, null)
                                    else 'USER-DEFINED'
                                end,
                                'format', t.typname,
                                'options', to_jsonb(
                                    array_remove(
                                        array[
                                            case when a.attidentity <> '' then 'identity' end,
                                            case when a.attgenerated <> '' then 'generated' end,
                                            case when not a.attnotnull then 'nullable' end,
                                            'updatable',
                                            case
                                                when exists (
                                                    select
                                                    from pg_catalog.pg_constraint as k
                                                    where k.conrelid = l.oid and k.contype = 'u' and k.conkey = array[a.attnum]
                                                ) then 'unique'
                                            end
                                        ],
                                        null
                                    )
                                )
                            )
                            || jsonb_strip_nulls(
                                jsonb_build_object(
                                    'default_value', pg_get_expr(d.adbin, d.adrelid),
                                    'identity_generation', case a.attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end,
                                    'enums', (
                                        select jsonb_agg(e.enumlabel order by e.enumsortorder)
                                        from pg_catalog.pg_enum as e
                                        where e.enumtypid in (t.oid, t.typelem)
                                    ),
                                    'check', (
                                        select pg_get_expr(k.conbin, k.conrelid)
                                        from pg_catalog.pg_constraint as k
                                        where k.conrelid = l.oid and k.contype = 'c' and k.conkey = array[a.attnum]
                                        order by k.oid
                                        limit 1
                                    ),
                                    'comment', col_description(l.oid, a.attnum)
                                )
                            )
                            order by a.attnum
                        )
                    from pg_catalog.pg_attribute as a
                    join pg_catalog.pg_type as t on t.oid = a.atttypid
                    left join pg_catalog.pg_attrdef as d on d.adrelid = l.oid and d.adnum = a.attnum
                    where a.attrelid = l.oid and a.attnum > 0 and not a.attisdropped
                ),
                '[]'
            ),
            'primary_keys',
            coalesce(
                (
                    select jsonb_agg(a.attname order by a.attnum)
                    from pg_catalog.pg_index as i
                    join pg_catalog.pg_attribute as a on a.attrelid = l.oid and a.attnum = any (i.indkey)
                    where i.indrelid = l.oid and i.indisprimary
                ),
                '[]'
            )
        )
        || jsonb_strip_nulls(
            jsonb_build_object(
                'foreign_key_constraints',
                (
                    select
                        jsonb_agg(
                            jsonb_build_object(
                                'name', k.conname,
                                'source_table', sn.nspname || '.' || s.relname,
                                'source_columns', (
                                    select jsonb_agg(a.attname order by p.place)
                                    from unnest(k.conkey) with ordinality as p (number, place)
                                    join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = p.number
                                ),
                                'target_table', tn.nspname || '.' || t.relname,
                                'target_columns', (
                                    select jsonb_agg(a.attname order by p.place)
                                    from unnest(k.confkey) with ordinality as p (number, place)
                                    join pg_catalog.pg_attribute as a on a.attrelid = k.confrelid and a.attnum = p.number
                                )
                            )
                            order by k.conname
                        )
                    from pg_catalog.pg_constraint as k
                    join pg_catalog.pg_class as s on s.oid = k.conrelid
                    join pg_catalog.pg_namespace as sn on sn.oid = s.relnamespace
                    join pg_catalog.pg_class as t on t.oid = k.confrelid
                    join pg_catalog.pg_namespace as tn on tn.oid = t.relnamespace
                    where k.contype = 'f' and l.oid in (k.conrelid, k.confrelid)
                )
            )
        ) as parts
    from listed as l
    where $2::boolean
)
select
    jsonb_build_object(
        'tables',
        coalesce(
            (
                select
                    jsonb_agg(
                        jsonb_build_object('name', l.name, 'rls_enabled', l.relrowsecurity, 'rows', l.rows)
                        || case when l.comment is null then '{}' else jsonb_build_object('comment', l.comment) end
                        || coalesce(v.parts, '{}')
                        order by l.nspname, l.relname
                    )
                from listed as l
                left join details as v on v.oid = l.oid
            ),
            '[]'
        ),
        'open',
        coalesce(
            (
                select
                    jsonb_agg(
                        jsonb_build_object(
                            'name', l.name,
                            'statement', format('ALTER TABLE %I.%I ENABLE ROW LEVEL SECURITY;', l.nspname, l.relname)
                        )
                        order by l.nspname, l.relname
                    )
                from listed as l
                where
                    not l.relrowsecurity
                    and l.nspname not in (
                        '_console', '_timescaledb_cache', '_timescaledb_catalog', '_timescaledb_config', '_timescaledb_internal',
                        'auth', 'cron', 'extensions', 'graphql', 'graphql_public', 'information_schema', 'net',
                        'pgbouncer', 'pg_catalog', 'pgmq', 'pgroonga', 'pgsodium', 'pgsodium_masks', 'pgtle',
                        'realtime', 'repack', 'storage', 'supabase_functions', 'supabase_migrations', 'tiger',
                        'topology', 'vault'
                    )
            ),
            '[]'
        )
    ) as listed
