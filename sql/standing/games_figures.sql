-- What lists and pages say of a game in figures. Counted by a job every few seconds, in one pass over
-- the listings: a figure kept at each vote would make all votes of a game wait for one row.
revoke all on public.game_figures from anon, authenticated, service_role;
grant select on public.game_figures to anon, authenticated, service_role;

drop policy if exists "everyone sees the figures of the games they see" on public.game_figures;
create policy "everyone sees the figures of the games they see" on public.game_figures
for select to anon, authenticated
using (exists (select from public.games as g where g.id = game_id));

drop policy if exists "the service does everything" on public.game_figures;
create policy "the service does everything" on public.game_figures
for all to service_role using (true) with check (true);

-- Counts anew; how many games' figures changed. The games are taken in the order of their ids, so
-- that several processes at once wait for each other instead of standing in each other's way.
create or replace function public.count_games() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_changed integer;
begin
    insert into public.game_figures as kept (game_id, servers, players_online, votes_this_month, votes_total)
    select
        g.id,
        count(s.id),
        coalesce(sum(s.online_players) filter (where s.is_online), 0),
        coalesce(sum(s.monthly_votes), 0),
        coalesce(sum(s.total_votes), 0)
    from public.games as g
    left join public.servers as s on s.game_id = g.id and s.is_approved and not s.is_hidden
    group by g.id
    order by g.id
    on conflict (game_id) do update set
        servers = excluded.servers,
        players_online = excluded.players_online,
        votes_this_month = excluded.votes_this_month,
        votes_total = excluded.votes_total
    where (kept.servers, kept.players_online, kept.votes_this_month, kept.votes_total)
        is distinct from
        (excluded.servers, excluded.players_online, excluded.votes_this_month, excluded.votes_total);
    get diagnostics v_changed = row_count;
    return v_changed;
end
$$;
revoke execute on function public.count_games() from public;

do $$
begin
    perform public.count_games();
end
$$;
