revoke all on public.competitive_events from anon, authenticated, service_role;
grant select on public.competitive_events to anon, authenticated;
grant insert (
    name, description, start_date, end_date, is_active, target_votes, winner_count, prestige_days, game_ids
), update (
    name, description, start_date, end_date, is_active, target_votes, winner_count, prestige_days, game_ids
), delete on public.competitive_events to authenticated;
grant all on public.competitive_events to service_role;

drop policy if exists "everyone sees active contests" on public.competitive_events;
create policy "everyone sees active contests" on public.competitive_events
for select to anon, authenticated using (is_active);

drop policy if exists "administrators keep the contests" on public.competitive_events;
create policy "administrators keep the contests" on public.competitive_events
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.competitive_events;
create policy "the service does everything" on public.competitive_events
for all to service_role using (true) with check (true);

drop trigger if exists competitive_events_touch on public.competitive_events;
create trigger competitive_events_touch before update on public.competitive_events
for each row execute function public.touch_updated_at();

-- A vote counts for every contest that runs at its instant and takes the game.
create or replace function public.count_for_competitions(p_ballots public.ballot[]) returns void
language plpgsql
as $$
begin
    insert into public.competitive_event_participations (event_id, server_id, votes_count)
    select e.id, b.server_id, count(*)
    from public.competitive_events as e
    inner join unnest(p_ballots) as b
        on b.voted_at >= e.start_date and b.voted_at < e.end_date
        and (e.game_ids = '{}' or b.game_id = any(e.game_ids))
    where e.is_active and not e.is_finished
    group by e.id, b.server_id
    order by e.id, b.server_id
    on conflict (event_id, server_id) do update
    set votes_count = competitive_event_participations.votes_count + excluded.votes_count;
end
$$;

-- Ends a contest once. The first ten together must have reached the target; then the first winners
-- get their days.
create or replace function public.finalize_competitive_event(p_event_id uuid)
returns table (is_success boolean, total_votes integer, rewarded_servers integer)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_event public.competitive_events;
    v_total integer;
    v_rewarded integer := 0;
    v_winner uuid;
begin
    perform public.require_admin();
    select * into v_event from public.competitive_events where id = p_event_id for update;
    if not found then
        raise exception 'Event not found' using errcode = 'P0002';
    elsif v_event.is_finished then
        raise exception 'This event was finalised before' using errcode = '22023';
    end if;
    update public.competitive_event_participations as p
    set final_rank = placed.place
    from (
        select server_id, row_number() over (order by votes_count desc, created_at, server_id) as place
        from public.competitive_event_participations
        where event_id = p_event_id
    ) as placed
    where p.event_id = p_event_id and p.server_id = placed.server_id;
    select coalesce(sum(votes_count), 0)::integer into v_total
    from public.competitive_event_participations
    where event_id = p_event_id and final_rank <= 10;
    if v_total >= v_event.target_votes then
        for v_winner in
            select server_id from public.competitive_event_participations
            where event_id = p_event_id and final_rank <= v_event.winner_count and votes_count > 0
            order by server_id
        loop
            perform public.extend_prestige(v_winner, v_event.prestige_days, null);
            v_rewarded := v_rewarded + 1;
        end loop;
    end if;
    update public.competitive_events
    set is_finished = true, is_success = v_total >= v_event.target_votes, finished_at = now()
    where id = p_event_id;
    return query select v_total >= v_event.target_votes, v_total, v_rewarded;
end
$$;

revoke execute on function
    public.count_for_competitions(public.ballot[]), public.finalize_competitive_event(uuid)
from public;
grant execute on function public.finalize_competitive_event(uuid) to authenticated, service_role;
