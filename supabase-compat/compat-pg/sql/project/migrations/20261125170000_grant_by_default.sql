-- Whatever is made in `public` from now on is open to the API's roles, as in a Supabase project;
-- row security decides about rows. Done once, so that an operator who takes it back is obeyed.
grant usage on schema public to anon, authenticated, service_role;

do $$
declare
    maker name;
    kind text;
begin
    -- Default privileges belong to the role that makes a thing: the one that migrates, and those
    -- whom dumps of Supabase projects name.
    for maker in
        select r.rolname
        from pg_catalog.pg_roles as r
        where
            (r.rolname = current_user or r.rolname in ('postgres', 'supabase_admin'))
            and pg_catalog.pg_has_role(r.oid, 'usage')
    loop
        foreach kind in array array['tables', 'routines', 'sequences'] loop
            execute format(
                'alter default privileges for role %I in schema public grant all on %s '
                'to anon, authenticated, service_role',
                maker,
                kind
            );
            if exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
                execute format(
                    'alter default privileges for role %I in schema public grant all on %s '
                    'to postgres',
                    maker,
                    kind
                );
            end if;
        end loop;
    end loop;
end
$$;
