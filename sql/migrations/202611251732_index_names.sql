-- Names are searched by a plain ilike and by likeness. Where pg_trgm can be had, an index serves that; where it cannot, the
-- search reads the table and forgives no mistakes.
do $$
declare
    v_schema text;
begin
    begin
        create schema if not exists extensions;
        create extension if not exists pg_trgm with schema extensions;
    exception
        when insufficient_privilege or feature_not_supported or undefined_file then
            null;
    end;
    select n.nspname into v_schema
    from pg_catalog.pg_extension as e
    inner join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
    if v_schema is null then
        raise notice 'pg_trgm cannot be had here: searches by name read the table';
        return;
    end if;
    execute format('create index servers_name_trigrams_idx on public.servers using gin (name %I.gin_trgm_ops)', v_schema);
    execute format('create index servers_search_name_idx on public.servers using gin (search_name %I.gin_trgm_ops)', v_schema);
    execute format(
        'create index profiles_username_trigrams_idx on public.profiles using gin (username %I.gin_trgm_ops)', v_schema
    );
    execute format(
        'create index profiles_email_trigrams_idx on public.profiles using gin (email %I.gin_trgm_ops)', v_schema
    );
    execute format('create index audit_log_names_idx on public.audit_log using gin (names %I.gin_trgm_ops)', v_schema);
end
$$;
