-- The login that reads for agents, as hosted projects have it: every table, no row security, no membership
-- that it could step into, nothing that it may write.
do $$
begin
    if not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
        return;
    end if;
    if not exists (select from pg_catalog.pg_roles where rolname = 'supabase_read_only_user') then
        create role supabase_read_only_user;
    end if;
    if exists (
        select
        from pg_catalog.pg_roles
        where
            rolname = 'supabase_read_only_user'
            and (not rolcanlogin or not rolbypassrls or not rolinherit or rolsuper or rolcreaterole or rolcreatedb)
    ) then
        alter role supabase_read_only_user with
            login bypassrls inherit nosuperuser nocreaterole nocreatedb noreplication;
    end if;
    if not exists (
        select
        from pg_catalog.pg_auth_members
        where roleid = 'pg_read_all_data'::regrole and member = 'supabase_read_only_user'::regrole
    ) then
        grant pg_read_all_data to supabase_read_only_user;
    end if;
exception
    -- Another process does the same.
    when duplicate_object or unique_violation then
        null;
end
$$;
