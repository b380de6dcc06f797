-- From version 16 on, a role with CREATEROLE changes only roles that it may administer. `postgres` without
-- superuser rights had all of a project's before, and keeps them when the cluster comes from an earlier version;
-- those it will make are its own at once, as `superuser.sql` has it.
do $$
declare
    project_role name;
begin
    execute format('alter database %I set createrole_self_grant = ''set, inherit''', current_database());
    for project_role in
        select r.rolname
        from pg_catalog.pg_roles as r
        where
            not r.rolsuper
            and r.rolname !~ '^(pg_|supabase_)'
            and r.rolname not in ('postgres', 'anon', 'authenticated', 'service_role', 'authenticator', 'pgbouncer', 'dashboard_user')
    loop
        execute format('grant %I to postgres with admin option', project_role);
    end loop;
end
$$;
