-- Roles of the cluster, with their number of current connections. A role without a limit has the
-- limit of the server.
select
    r.oid::int8 as id,
    r.rolname as name,
    r.rolsuper as is_superuser,
    r.rolcreatedb as can_create_db,
    r.rolcreaterole as can_create_role,
    r.rolinherit as inherit_role,
    r.rolcanlogin as can_login,
    r.rolreplication as is_replication_role,
    r.rolbypassrls as can_bypass_rls,
    (select count(*) from pg_catalog.pg_stat_activity as s where s.usename = r.rolname) as active_connections,
    case r.rolconnlimit when -1 then pg_catalog.current_setting('max_connections')::int8 else r.rolconnlimit end
        as connection_limit,
    r.rolpassword as password,
    r.rolvaliduntil as valid_until,
    (
        select pg_catalog.jsonb_object_agg(
            pg_catalog.split_part(setting, '=', 1), pg_catalog.substr(setting, pg_catalog.strpos(setting, '=') + 1)
        )
        from unnest(r.rolconfig) as settings (setting)
    ) as config
from pg_catalog.pg_roles as r
