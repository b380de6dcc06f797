-- The functions of extensions are called without a schema's name, by migrations and by the triggers
-- they make. Looked after at every start, because no dump has it; what an operator has set stays.

-- Made anew at the next start if the machine fails now, so the disk is not waited for: the next commit that is, brings it along.
set local synchronous_commit = off;

do $$
declare
    login name;
begin
    -- Several processes may start at once, and only one of them may add the row of settings.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('compat.search_path'));
    for login in
        select r.rolname
        from pg_catalog.pg_roles as r
        where
            (
                r.rolname = current_user
                -- Whose the project is, beside this superuser.
                or (r.rolname = 'postgres' and current_user = 'supabase_admin' and r.rolcanlogin)
            )
            and not exists (
                select
                from pg_catalog.pg_db_role_setting as s
                cross join lateral unnest(s.setconfig) as given (setting)
                where
                    s.setrole in (0, r.oid)
                    and s.setdatabase in (
                        0, (select d.oid from pg_catalog.pg_database as d where d.datname = current_database())
                    )
                    and given.setting like 'search_path=%'
            )
    loop
        execute format(
            'alter role %I in database %I set search_path = "$user", public, extensions',
            login,
            current_database()
        );
    end loop;
exception
    when insufficient_privilege then
        raise warning 'The schema "extensions" is not on the search path: this login may not set one.';
end
$$;
