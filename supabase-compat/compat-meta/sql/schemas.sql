-- Schemas that the login may use or owns, without temporary ones.
select
    n.oid::int8 as id,
    n.nspname as name,
    r.rolname as owner
from pg_catalog.pg_namespace as n
inner join pg_catalog.pg_roles as r on r.oid = n.nspowner
where
    n.nspname !~ '^pg_(toast_)?temp_'
    and (pg_catalog.pg_has_role(n.nspowner, 'usage') or pg_catalog.has_schema_privilege(n.oid, 'create, usage'))
