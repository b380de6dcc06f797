-- The login of the console's statements on a server whose `postgres` is a superuser: it reads and writes the
-- rows of every schema, and makes nothing: what it made in `public` could be called by a superuser. The
-- console's own tables refuse it by a trigger. Its rights are memberships and no grants on tables, which a
-- dump would take to a server that has no such role.

-- Made anew at the next start if the machine fails now, so the disk is not waited for: the next commit that is, brings it along.
set local synchronous_commit = off;

do $$
begin
    if not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
        return;
    end if;
    begin
        if not exists (select from pg_catalog.pg_roles where rolname = 'console_writer') then
            create role console_writer;
        end if;
        if exists (
            select
            from pg_catalog.pg_roles
            where
                rolname = 'console_writer'
                and (not rolcanlogin or not rolbypassrls or rolsuper or rolcreaterole or rolcreatedb or rolreplication)
        ) then
            alter role console_writer with
                login bypassrls inherit nosuperuser nocreaterole nocreatedb noreplication;
        end if;
    exception
        -- Another process does the same.
        when duplicate_object or unique_violation then
            null;
    end;
    if not pg_catalog.pg_has_role('console_writer', 'pg_monitor', 'member') then
        grant pg_monitor to console_writer;
    end if;
    if not pg_catalog.pg_has_role('console_writer', 'pg_read_all_data', 'member') then
        grant pg_read_all_data to console_writer;
    end if;
    if not pg_catalog.pg_has_role('console_writer', 'pg_write_all_data', 'member') then
        grant pg_write_all_data to console_writer;
    end if;
end
$$;
