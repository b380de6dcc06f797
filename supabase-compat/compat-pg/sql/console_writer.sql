-- The login of the console's statements on a server whose `postgres` is a superuser: it reads and writes the
-- rows of every schema but the console's own, and makes nothing: what it made in `public` could be called by a
-- superuser.
do $$
declare
    place record;
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

    if not pg_has_role('console_writer', 'pg_monitor', 'member') then
        grant pg_monitor to console_writer;
    end if;
    -- Rights are given anew at each start, since tables are made later than roles.
    for place in
        select n.nspname as name
        from pg_catalog.pg_namespace as n
        where n.nspname !~ '^(pg_|information_schema$|_console$)'
    loop
        execute format('grant usage on schema %I to console_writer', place.name);
        execute format('grant select, insert, update, delete on all tables in schema %I to console_writer', place.name);
        execute format('grant usage, select on all sequences in schema %I to console_writer', place.name);
    end loop;
end
$$;
