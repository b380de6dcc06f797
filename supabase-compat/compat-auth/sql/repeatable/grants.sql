-- The API roles may call functions of this schema, but read no rows: no table is granted to them,
-- and row security without policies would refuse them anyway.
grant usage on schema auth to anon, authenticated, service_role, supabase_auth_admin;

grant all on all tables in schema auth to supabase_auth_admin;
grant all on all sequences in schema auth to supabase_auth_admin;

do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolname <> current_user) then
        grant usage on schema auth to postgres with grant option;
        grant select on all tables in schema auth to postgres with grant option;
    end if;
end
$$;
