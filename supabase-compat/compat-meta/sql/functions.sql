-- Functions, without procedures, aggregates and window functions. Whether an argument has a default
-- follows from its position among the input arguments.
select
    p.oid::int8 as id,
    n.nspname as schema,
    p.proname as name,
    l.lanname as language,
    case when l.lanname = 'internal' then '' else p.prosrc end as definition,
    case when l.lanname = 'internal' then p.prosrc else pg_catalog.pg_get_functiondef(p.oid) end
        as complete_statement,
    coalesce(
        (
            select pg_catalog.jsonb_agg(
                pg_catalog.jsonb_build_object(
                    'mode',
                    case coalesce(p.proargmodes[place], 'i')
                        when 'i' then 'in' when 'o' then 'out' when 'b' then 'inout' when 'v' then 'variadic'
                        else 'table'
                    end,
                    'name', coalesce(p.proargnames[place], ''),
                    'type_id', type_id::int8,
                    'has_default', case when place <= p.pronargs then place > p.pronargs - p.pronargdefaults end
                )
                order by place
            )
            from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as arguments (type_id, place)
        ),
        '[]'
    ) as args,
    pg_catalog.pg_get_function_arguments(p.oid) as argument_types,
    pg_catalog.pg_get_function_identity_arguments(p.oid) as identity_argument_types,
    p.prorettype::int8 as return_type_id,
    pg_catalog.pg_get_function_result(p.oid) as return_type,
    nullif(r.typrelid::int8, 0) as return_type_relation_id,
    p.proretset as is_set_returning_function,
    case when p.proretset then nullif(p.prorows, 0) end as prorows,
    case p.provolatile when 'i' then 'IMMUTABLE' when 's' then 'STABLE' when 'v' then 'VOLATILE' end as behavior,
    p.prosecdef as security_definer,
    (
        select pg_catalog.jsonb_object_agg(
            pg_catalog.split_part(setting, '=', 1), pg_catalog.substr(setting, pg_catalog.strpos(setting, '=') + 1)
        )
        from unnest(p.proconfig) as settings (setting)
    ) as config_params
from pg_catalog.pg_proc as p
left join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
left join pg_catalog.pg_language as l on l.oid = p.prolang
left join pg_catalog.pg_type as r on r.oid = p.prorettype
where p.prokind = 'f'
