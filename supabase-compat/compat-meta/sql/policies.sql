-- Policies of row level security.
select
    p.oid::int8 as id,
    n.nspname as schema,
    c.relname as "table",
    c.oid::int8 as table_id,
    p.polname as name,
    case when p.polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end as action,
    case
        when p.polroles = '{0}'::oid[] then '["public"]'::json
        else pg_catalog.array_to_json(
            array(select r.rolname from pg_catalog.pg_roles as r where r.oid = any(p.polroles) order by r.rolname)
        )
    end as roles,
    case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' when '*' then 'ALL' end
        as command,
    pg_catalog.pg_get_expr(p.polqual, p.polrelid) as definition,
    pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as "check"
from pg_catalog.pg_policy as p
inner join pg_catalog.pg_class as c on c.oid = p.polrelid
left join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
