-- Privileges on each column, by a grant on its table or on the column. Privileges that the login
-- has neither granted nor received are not shown.
select
    c.oid::text || '.' || a.attnum::text as column_id,
    n.nspname as relation_schema,
    c.relname as relation_name,
    a.attname as column_name,
    pg_catalog.jsonb_agg(
        pg_catalog.jsonb_build_object(
            'grantor', g.rolname,
            'grantee', case acl.grantee when 0 then 'PUBLIC' else r.rolname end,
            'privilege_type', acl.privilege_type,
            'is_grantable', acl.is_grantable
        )
    ) as privileges
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
inner join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
cross join lateral (
    select t.* from pg_catalog.aclexplode(coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))) as t
    union
    select t.* from pg_catalog.aclexplode(coalesce(a.attacl, pg_catalog.acldefault('c', c.relowner))) as t
) as acl
inner join pg_catalog.pg_roles as g on g.oid = acl.grantor
left join pg_catalog.pg_roles as r on r.oid = acl.grantee
where
    c.relkind in ('r', 'v', 'm', 'f', 'p')
    and acl.privilege_type in ('INSERT', 'SELECT', 'UPDATE', 'REFERENCES')
    and (
        acl.grantee = 0
        or pg_catalog.pg_has_role(g.oid, 'usage')
        or pg_catalog.pg_has_role(r.oid, 'usage')
    )
group by c.oid, a.attnum, n.nspname, c.relname, a.attname
