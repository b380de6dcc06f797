-- The API's roles may use the schema; policies alone decide which rows they can access, and there
-- are none at first.
grant usage on schema storage to anon, authenticated, service_role;
grant all on schema storage to supabase_storage_admin;

do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolname <> current_user) then
        grant usage on schema storage to postgres with grant option;
    end if;
end
$$;

-- A direct deletion of rows would leave content without a row in the store.
create or replace function storage.protect_delete()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    if current_setting('storage.allow_delete_query', true) is distinct from 'true' then
        raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
            using errcode = '42501',
            hint = 'This prevents accidental data loss from orphaned objects.';
    end if;
    return null;
end
$$;

create or replace function storage.update_updated_at_column()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    new.updated_at = now();
    return new;
end
$$;
