-- The roles that a project's dump names in grants, for a server that has not been prepared for a project.
do $$
declare
    wanted name;
begin
    foreach wanted in array array[
        'postgres', 'supabase_admin', 'dashboard_user', 'supabase_realtime_admin',
        'supabase_functions_admin', 'supabase_replication_admin', 'supabase_read_only_user', 'pgbouncer'
    ] loop
        if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
            execute format('create role %I nologin noinherit', wanted);
        end if;
    end loop;
end
$$;
