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
    format('Policy %s on %s.%s decides by user_metadata, which each user may change; keep it in app_metadata.', p.polname, p.nspname, p.relname) as detail,
    jsonb_build_object('schema', p.nspname, 'name', p.relname, 'type', 'table') as metadata,
    format('rls_references_user_metadata_%s_%s_%s', p.nspname, p.relname, p.polname) as cache_key,
    format('alter policy %I on %I.%I', p.polname, p.nspname, p.relname)
    || coalesce(' using (' || replace(p.condition, 'user_metadata', 'app_metadata') || ')', '')
    || coalesce(' with check (' || replace(p.new_rows, 'user_metadata', 'app_metadata') || ')', '')
    || ';' as statement
from policies as p
where
    p.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and exists (
        select
        from unnest(array['%auth.jwt()%user\_metadata%', '%current\_setting(%request.jwt.claims%)%user\_metadata%']) as f (pattern)
        cross join unnest(array[p.condition, p.new_rows]) as e (expression)
        where e.expression like f.pattern
    )
order by p.nspname, p.relname, p.polname
