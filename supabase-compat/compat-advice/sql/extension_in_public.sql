select
    format('Extension %s lies in the schema public; move it to another.', e.extname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', e.extname, 'type', 'extension') as metadata,
    format('extension_in_public_%s', e.extname) as cache_key,
    case when e.extrelocatable then format('alter extension %I set schema extensions;', e.extname) end as statement
from pg_catalog.pg_extension as e
join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
where n.nspname = 'public' and e.extname <> 'plpgsql'
order by e.extname
