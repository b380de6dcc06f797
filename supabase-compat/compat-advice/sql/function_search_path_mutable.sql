select
    format('Function %s.%s looks names up in the search path of its caller.', n.nspname, p.proname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', p.proname, 'type', 'function') as metadata,
    -- Functions with the same name are distinguished by their source.
    format('function_search_path_mutable_%s_%s_%s', n.nspname, p.proname, md5(p.prosrc)) as cache_key,
    -- An aggregate cannot have settings; it has to be created again over functions that have them.
    case
        when p.prokind <> 'a'
            then format(
                'alter %s %I.%I(%s) set search_path = %L;',
                case p.prokind when 'p' then 'procedure' else 'function' end,
                n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), ''
            )
    end as statement
from pg_catalog.pg_proc as p
join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = p.oid and d.deptype = 'e'
    )
    and not exists (
        select from unnest(p.proconfig) as s (setting) where s.setting like 'search\_path=%'
    )
order by n.nspname, p.proname, p.oid
