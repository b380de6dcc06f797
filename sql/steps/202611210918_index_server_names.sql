-- Search is a plain ilike. Where pg_trgm can be had, an index serves it; where it cannot, the answer is the same.
do $$
begin
    create schema if not exists extensions;
    create extension if not exists pg_trgm with schema extensions;
    execute format(
        'create index servers_name_trigrams_idx on public.servers using gin (name %I.gin_trgm_ops)',
        (
            select n.nspname
            from pg_catalog.pg_extension as e
            inner join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
            where e.extname = 'pg_trgm'
        )
    );
exception
    when insufficient_privilege or feature_not_supported or undefined_file then
        raise notice 'pg_trgm cannot be had here: search by name reads the table';
end
$$;
