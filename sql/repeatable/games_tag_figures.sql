-- The number of listings with each tag, by game. A job counts them together with the figures of
-- games, in one pass.
revoke all on public.game_tag_figures from anon, authenticated, service_role;
grant select on public.game_tag_figures to anon, authenticated, service_role;

drop policy if exists "everyone sees the tags of the games they see" on public.game_tag_figures;
create policy "everyone sees the tags of the games they see" on public.game_tag_figures
for select to anon, authenticated
using (exists (select from public.games as g where g.id = game_id));

drop policy if exists "the service does everything" on public.game_tag_figures;
create policy "the service does everything" on public.game_tag_figures
for all to service_role using (true) with check (true);

-- Recounts; returns how many figures changed. One process at a time; the others return 0.
create or replace function public.refresh_tag_figures() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_changed integer;
begin
    if not pg_try_advisory_xact_lock(hashtextextended('public.game_tag_figures', 0)) then
        return 0;
    end if;
    with alike as (
        select game_id, tags, count(*) as servers, count(*) filter (where is_prestige) as promoted
        from public.server_standings
        where is_listed
        group by game_id, tags
    ),
    counted as materialized (
        select
            alike.game_id,
            worn.tag,
            sum(alike.servers)::integer as servers,
            sum(alike.promoted)::integer as promoted
        from alike
        -- A tag that a listing has twice counts once.
        cross join lateral (select distinct unnest(alike.tags) as tag) as worn
        group by alike.game_id, worn.tag
    ),
    existing as (
        insert into public.game_tag_figures as existing (game_id, tag, servers, promoted)
        select game_id, tag, servers, promoted from counted
        on conflict (tag, game_id) do update set servers = excluded.servers, promoted = excluded.promoted
        where (existing.servers, existing.promoted) is distinct from (excluded.servers, excluded.promoted)
        returning 1
    ),
    gone as (
        delete from public.game_tag_figures as existing
        where not exists (
            select from counted where counted.game_id = existing.game_id and counted.tag = existing.tag
        )
        returning 1
    )
    select (select count(*) from existing) + (select count(*) from gone) into v_changed;
    return v_changed;
end
$$;
revoke execute on function public.refresh_tag_figures() from public;

do $$
begin
    perform public.refresh_tag_figures();
end
$$;
