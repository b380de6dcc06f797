-- A listing's name as the search compares it: without accents, case and punctuation, a blank in front so that the
-- beginnings of words can be told from their middles. Kept by a trigger; see servers_search.sql.
alter table public.servers add column search_name text not null default '';

do $$
begin
    create schema if not exists extensions;
    create extension if not exists pg_trgm with schema extensions;
    execute format(
        'create index servers_search_name_idx on public.servers using gin (search_name %I.gin_trgm_ops)'
        ' where is_approved and not is_hidden',
        (
            select n.nspname
            from pg_catalog.pg_extension as e
            inner join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
            where e.extname = 'pg_trgm'
        )
    );
exception
    when insufficient_privilege or feature_not_supported or undefined_file then
        raise notice 'pg_trgm cannot be had here: the search reads the table and forgives no mistakes';
end
$$;
