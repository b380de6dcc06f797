-- Makes the cluster's first role `supabase_admin`, and beside it a `postgres` without superuser rights, as
-- hosted projects have them. Run once, by that first role while it is called `postgres`. What it made for a
-- project is handed over by `owners.sql`, as after a restored dump.
begin;
-- Made anew at the next start if the machine fails now, so the disk is not waited for: the next commit that is, brings it along.
set local synchronous_commit = off;

-- A name to own and to be granted to until now; somebody else's database may still need it.
do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'supabase_admin') then
        alter role supabase_admin rename to supabase_admin_before;
        reassign owned by supabase_admin_before to postgres;
        drop owned by supabase_admin_before;
        begin
            drop role supabase_admin_before;
        exception
            when dependent_objects_still_exist then
                raise warning 'The role supabase_admin is now called supabase_admin_before: other databases depend on it.';
        end;
    end if;
end
$$;

-- Nobody renames the role of their own session.
create role supabase_renames superuser;
set local session authorization supabase_renames;
alter role postgres rename to supabase_admin;
reset session authorization;
drop role supabase_renames;
-- Whoever knows the password of `postgres` comes in as that.
alter role supabase_admin password null;

create role postgres login createdb createrole replication bypassrls;

do $$
declare
    one record;
    granted record;
begin
    execute format('alter database %I owner to postgres', current_database());
    -- Whoever makes a role may be it, as a superuser may.
    if current_setting('server_version_num')::int >= 160000 then
        execute format('alter database %I set createrole_self_grant = ''set, inherit''', current_database());
    end if;

    -- What the login was told about itself, and what is granted of whatever it makes.
    for one in
        select d.datname, given.setting
        from pg_catalog.pg_db_role_setting as s
        left join pg_catalog.pg_database as d on d.oid = s.setdatabase
        cross join lateral unnest(s.setconfig) as given (setting)
        where s.setrole = 'supabase_admin'::regrole
    loop
        execute format(
            'alter role postgres %s set %I to %s',
            case when one.datname is not null then format('in database %I', one.datname) end,
            split_part(one.setting, '=', 1),
            case
                -- Lists, whose names are quoted as they have to be.
                when split_part(one.setting, '=', 1)
                    in ('search_path', 'temp_tablespaces', 'session_preload_libraries', 'local_preload_libraries')
                    then substr(one.setting, strpos(one.setting, '=') + 1)
                else quote_literal(substr(one.setting, strpos(one.setting, '=') + 1))
            end
        );
    end loop;
    for one in
        select
            n.nspname,
            a.privilege_type,
            a.is_grantable,
            case a.grantee when 0 then 'public' else quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) end as grantee,
            case d.defaclobjtype
                when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions'
                when 'T' then 'types' when 'n' then 'schemas'
            end as kind
        from pg_catalog.pg_default_acl as d
        left join pg_catalog.pg_namespace as n on n.oid = d.defaclnamespace
        cross join lateral pg_catalog.aclexplode(d.defaclacl) as a
        where d.defaclrole = 'supabase_admin'::regrole and a.grantee <> d.defaclrole and d.defaclobjtype <> 'L'
    loop
        execute format(
            'alter default privileges for role postgres %s grant %s on %s to %s%s',
            case when one.nspname is not null then format('in schema %I', one.nspname) end,
            one.privilege_type, one.kind, one.grantee,
            case when one.is_grantable then ' with grant option' end
        );
    end loop;

    -- A project's own roles stay those that made them.
    for granted in
        select r.rolname
        from pg_catalog.pg_roles as r
        where
            not r.rolsuper
            and r.rolname !~ '^(pg_|supabase_)'
            and r.rolname not in ('postgres', 'anon', 'authenticated', 'service_role', 'authenticator', 'pgbouncer', 'dashboard_user')
    loop
        execute format('grant %I to postgres with admin option', granted.rolname);
    end loop;
end
$$;

commit;
