select
    format('Index %s on %s.%s has not been used.', s.indexrelname, s.schemaname, s.relname) as detail,
    jsonb_build_object('schema', s.schemaname, 'name', s.relname, 'type', 'table') as metadata,
    format('unused_index_%s_%s_%s', s.schemaname, s.relname, s.indexrelname) as cache_key,
    format('drop index %I.%I;', s.schemaname, s.indexrelname) as statement
from pg_catalog.pg_stat_user_indexes as s
join pg_catalog.pg_index as i on i.indexrelid = s.indexrelid
join pg_catalog.pg_class as c on c.oid = s.relid
where
    s.idx_scan = 0
    and not i.indisunique
    and not i.indisprimary
    and s.schemaname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
order by s.schemaname, s.relname, s.indexrelname
