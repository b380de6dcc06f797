-- Tables of GoTrue's are known by its ledger, which stays: whoever goes back finds it as it was.
do $$
begin
    if to_regclass('auth.schema_migrations') is null then
        raise exception 'the schema auth has tables, and not the ledger auth.schema_migrations of the service that made them';
    end if;
    -- Before, a provider's own id of an account stood in `id`.
    if to_regclass('auth.identities') is not null and not exists (
        select
        from pg_catalog.pg_attribute
        where attrelid = 'auth.identities'::regclass and attname = 'provider_id' and not attisdropped
    ) then
        raise exception 'auth.identities has no provider_id: the service that made it is too old'
            using hint = 'Let a release of it from 2024 or later bring the schema up to date first.';
    end if;
end
$$;
