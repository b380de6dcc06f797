with policies as (
    select
        n.nspname, c.relname, c.relrowsecurity, p.polname,
        pg_get_expr(p.polqual, p.polrelid) as condition,
        pg_get_expr(p.polwithcheck, p.polrelid) as new_rows
    from pg_catalog.pg_policy as p
    join pg_catalog.pg_class as c on c.oid = p.polrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
)
select
    format('Policy %s on %s.%s calls auth functions or current_setting() for each row; write (select auth.uid()) in place of auth.uid().', p.polname, p.nspname, p.relname) as detail,
    jsonb_build_object('schema', p.nspname, 'name', p.relname, 'type', 'table') as metadata,
    format('auth_rls_init_plan_%s_%s_%s', p.nspname, p.relname, p.polname) as cache_key,
    (
        select
            format('alter policy %I on %I.%I', p.polname, p.nspname, p.relname)
            || coalesce(' using (' || w.condition || ')', '')
            || coalesce(' with check (' || w.new_rows || ')', '')
            || ';'
        from (
            select
                -- Only calls without arguments are wrapped; arguments of other calls cannot be
                -- parsed here.
                regexp_replace(p.condition, '(?<!select )(auth\.(uid|jwt|role|email)\(\))', '(select \1)', 'gi') as condition,
                regexp_replace(p.new_rows, '(?<!select )(auth\.(uid|jwt|role|email)\(\))', '(select \1)', 'gi') as new_rows
        ) as w
        where (w.condition, w.new_rows) is distinct from (p.condition, p.new_rows)
    ) as statement
from policies as p
where
    p.relrowsecurity
    -- realtime is included, because projects put policies on realtime.messages.
    and p.nspname <> all (array_remove(current_setting('compat.managed_schemas')::name[], 'realtime'))
    and exists (
        select
        from unnest(array['auth.uid()', 'auth.jwt()', 'auth.role()', 'auth.email()', 'current\_setting(%)']) as f (call)
        cross join unnest(array[p.condition, p.new_rows]) as e (expression)
        where e.expression like '%' || f.call || '%' and lower(e.expression) not like '%select ' || f.call || '%'
    )
order by p.nspname, p.relname, p.polname
