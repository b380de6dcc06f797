-- The figures of games for lists and pages. A job counts them every few seconds in one pass over
-- the listings: a counter updated by each vote would make all votes of a game wait for one row.
revoke all on public.game_figures from anon, authenticated, service_role;
grant select on public.game_figures to anon, authenticated, service_role;

drop policy if exists "everyone sees the figures of the games they see" on public.game_figures;
create policy "everyone sees the figures of the games they see" on public.game_figures
for select to anon, authenticated
using (exists (select from public.games as g where g.id = game_id));

drop policy if exists "the service does everything" on public.game_figures;
create policy "the service does everything" on public.game_figures
for all to service_role using (true) with check (true);

-- Recounts; returns how many games' figures changed. Games are locked in the order of their ids, so
-- that concurrent processes wait for each other instead of deadlocking.
create or replace function public.refresh_game_figures() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_changed integer;
begin
    insert into public.game_figures as existing (
        game_id, servers, promoted, players_online, votes_this_month, votes_total
    )
    select
        g.id,
        count(t.server_id),
        count(t.server_id) filter (where t.is_prestige),
        coalesce(sum(t.online_players) filter (where t.is_online), 0),
        coalesce(sum(t.monthly_votes) filter (where t.month = this.month), 0),
        coalesce(sum(t.total_votes), 0)
    from public.games as g
    cross join (select public.month_of(public.site_today()) as month) as this
    left join public.server_standings as t on t.game_id = g.id and t.is_listed
    group by g.id
    order by g.id
    on conflict (game_id) do update set
        servers = excluded.servers,
        promoted = excluded.promoted,
        players_online = excluded.players_online,
        votes_this_month = excluded.votes_this_month,
        votes_total = excluded.votes_total
    where (existing.servers, existing.promoted, existing.players_online, existing.votes_this_month, existing.votes_total)
        is distinct from
        (excluded.servers, excluded.promoted, excluded.players_online, excluded.votes_this_month, excluded.votes_total);
    get diagnostics v_changed = row_count;
    return v_changed;
end
$$;
revoke execute on function public.refresh_game_figures() from public;

do $$
begin
    perform public.refresh_game_figures();
end
$$;
