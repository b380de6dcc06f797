-- Roles that grants of a hosted project name and nothing else does.
do $$
declare
    wanted name;
begin
    foreach wanted in array array['supabase_etl_admin', 'supabase_privileged_role'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
            execute format('create role %I nologin noinherit', wanted);
        end if;
    end loop;
exception
    when duplicate_object or unique_violation then
        null;
    when insufficient_privilege then
        raise warning 'Roles of the platform are missing: this login may not make them.';
end
$$;
