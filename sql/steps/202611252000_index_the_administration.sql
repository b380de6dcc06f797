-- What those who run the site look through, in the orders and by the choices of their tables.
create index servers_shown_by_age_idx on public.servers (created_at desc nulls last, id) where is_approved and not is_hidden;
create index servers_hidden_by_age_idx on public.servers (created_at desc nulls last, id) where is_hidden;
create index servers_unapproved_by_age_idx on public.servers (created_at desc nulls last, id) where not is_approved;
create index servers_of_game_by_age_idx on public.servers (game_id, created_at desc nulls last, id);

create index profiles_all_by_age_idx on public.profiles (created_at desc nulls last, id);
create index profiles_all_by_name_idx on public.profiles (username, id);
create index profiles_all_by_votes_idx on public.profiles (total_votes desc nulls last, id);
create index profiles_banned_by_age_idx on public.profiles (created_at desc nulls last, id) where is_banned;

create index payments_all_by_age_idx on public.payments (created_at desc nulls last, id);
create index reports_all_by_age_idx on public.reports (created_at desc nulls last, id);

-- Where pg_trgm can be had, an index serves the search; where it cannot, the answer is the same.
do $$
declare
    v_schema constant text := (
        select n.nspname
        from pg_catalog.pg_extension as e
        inner join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
        where e.extname = 'pg_trgm'
    );
begin
    if v_schema is null then
        raise notice 'pg_trgm cannot be had here: search among accounts reads the table';
        return;
    end if;
    execute format(
        'create index profiles_username_trigrams_idx on public.profiles using gin (username %I.gin_trgm_ops)', v_schema
    );
    execute format(
        'create index profiles_email_trigrams_idx on public.profiles using gin (email %I.gin_trgm_ops)', v_schema
    );
end
$$;
