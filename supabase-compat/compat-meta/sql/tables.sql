-- Tables and partitioned tables on which the login has any privilege.
select
    c.oid::int8 as id,
    n.nspname as schema,
    c.relname as name,
    c.relrowsecurity as rls_enabled,
    c.relforcerowsecurity as rls_forced,
    case c.relreplident when 'd' then 'DEFAULT' when 'i' then 'INDEX' when 'f' then 'FULL' else 'NOTHING' end
        as replica_identity,
    pg_catalog.pg_total_relation_size(c.oid)::int8 as bytes,
    pg_catalog.pg_size_pretty(pg_catalog.pg_total_relation_size(c.oid)) as size,
    pg_catalog.pg_stat_get_live_tuples(c.oid) as live_rows_estimate,
    pg_catalog.pg_stat_get_dead_tuples(c.oid) as dead_rows_estimate,
    pg_catalog.obj_description(c.oid, 'pg_class') as comment,
    coalesce(
        (
            select pg_catalog.jsonb_agg(
                pg_catalog.jsonb_build_object(
                    'schema', n.nspname, 'table_name', c.relname, 'name', a.attname, 'table_id', c.oid::int8
                )
                order by pg_catalog.array_position(i.indkey::int2[], a.attnum)
            )
            from pg_catalog.pg_index as i
            inner join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
            where i.indrelid = c.oid and i.indisprimary
        ),
        '[]'
    ) as primary_keys,
    -- Each column of a foreign key with each column that it refers to, from either side.
    coalesce(
        (
            select pg_catalog.jsonb_agg(
                pg_catalog.jsonb_build_object(
                    'id', k.oid::int8,
                    'constraint_name', k.conname,
                    'source_schema', sn.nspname,
                    'source_table_name', s.relname,
                    'source_column_name', sa.attname,
                    'target_table_schema', tn.nspname,
                    'target_table_name', t.relname,
                    'target_column_name', ta.attname
                )
                order by k.oid, sa.attnum, ta.attnum
            )
            from pg_catalog.pg_constraint as k
            inner join pg_catalog.pg_class as s on s.oid = k.conrelid
            inner join pg_catalog.pg_namespace as sn on sn.oid = s.relnamespace
            inner join pg_catalog.pg_attribute as sa on sa.attrelid = k.conrelid and sa.attnum = any(k.conkey)
            inner join pg_catalog.pg_class as t on t.oid = k.confrelid
            inner join pg_catalog.pg_namespace as tn on tn.oid = t.relnamespace
            inner join pg_catalog.pg_attribute as ta on ta.attrelid = k.confrelid and ta.attnum = any(k.confkey)
            where k.contype = 'f' and (k.conrelid = c.oid or k.confrelid = c.oid)
        ),
        '[]'
    ) as relationships
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind in ('r', 'p')
    and not pg_catalog.pg_is_other_temp_schema(n.oid)
    and (
        pg_catalog.pg_has_role(c.relowner, 'usage')
        or pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
        or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references')
    )
