with policies as (
    select
        n.nspname, c.relname, p.polname, p.polroles, q.cmd, q.qual, q.with_check,
        translate(lower(coalesce(q.qual, '')), E' \n\t', '') in ('true', '(true)', '1=1', '(1=1)') as is_open,
        translate(lower(coalesce(q.with_check, '')), E' \n\t', '') in ('true', '(true)', '1=1', '(1=1)') as takes_all
    from pg_catalog.pg_policy as p
    join pg_catalog.pg_class as c on c.oid = p.polrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_policies as q
        on q.schemaname = n.nspname and q.tablename = c.relname and q.policyname = p.polname
    where
        c.relkind = 'r'
        and c.relrowsecurity
        and p.polpermissive
        and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
        and (
            p.polroles = array[0::oid]
            or exists (
                select from pg_catalog.pg_roles as r where r.oid = any (p.polroles) and r.rolname in ('anon', 'authenticated')
            )
        )
),
judged as (
    select
        p.*,
        p.cmd in ('UPDATE', 'DELETE', 'ALL') and (p.is_open or p.qual is null) as permissive_using,
        p.takes_all
        or (p.with_check is null and p.cmd = 'INSERT')
        or (p.with_check is null and p.cmd in ('UPDATE', 'ALL') and p.is_open) as permissive_with_check
    from policies as p
)
select
    format('Policy %s on %s.%s lets everybody it applies to %s any row.', j.polname, j.nspname, j.relname, lower(j.cmd)) as detail,
    jsonb_build_object(
        'schema', j.nspname, 'name', j.relname, 'type', 'table', 'policy_name', j.polname, 'command', j.cmd,
        'roles', (select array_agg(r.number::regrole::text) from unnest(j.polroles) as r (number)),
        'qual', j.qual, 'with_check', j.with_check,
        'permissive_using', j.permissive_using, 'permissive_with_check', j.permissive_with_check
    ) as metadata,
    format('rls_policy_always_true_%s_%s_%s', j.nspname, j.relname, j.polname) as cache_key,
    null::text as statement
from judged as j
where j.permissive_using or j.permissive_with_check
order by j.nspname, j.relname, j.polname
