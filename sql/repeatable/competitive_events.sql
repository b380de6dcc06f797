revoke all on public.competitive_events from anon, authenticated, service_role;
grant select on public.competitive_events to anon, authenticated;
grant insert (
    name, name_en, name_es, description, description_en, description_es, start_date, end_date, is_active, target_votes,
    winner_count, prestige_days, game_ids
), update (
    name, name_en, name_es, description, description_en, description_es, start_date, end_date, is_active, target_votes,
    winner_count, prestige_days, game_ids
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

-- Counts votes for every contest that runs at the time of the vote and includes the game.
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

-- Finishes a contest once, and not before its end. If the first ten together have reached the
-- target, the winners get their days. The places are those of competitive_event_standings, so
-- hidden listings have none.
create or replace function public.close_competitive_event(p_event_id uuid, p_at timestamptz, p_by text)
returns table (is_success boolean, total_votes integer, rewarded_servers integer)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_event public.competitive_events;
    v_total integer;
    v_is_success boolean;
    v_rewarded integer := 0;
    v_winner uuid;
begin
    select * into v_event from public.competitive_events where id = p_event_id for update;
    if not found then
        raise exception 'Event not found' using errcode = 'PT404';
    elsif v_event.is_finished then
        raise exception 'This event was finalised before' using errcode = '22023', detail = 'already_finished';
    elsif v_event.end_date > p_at then
        raise exception 'This event has not ended yet' using errcode = '22023', detail = 'not_ended';
    end if;
    perform public.record_event_places(p_event_id, p_at);
    update public.competitive_event_participations as p
    set final_rank = placed.place
    from public.competitive_event_standings as placed
    where placed.event_id = p_event_id and p.event_id = p_event_id and p.server_id = placed.server_id;
    select coalesce(sum(votes_count), 0)::integer into v_total
    from public.competitive_event_participations
    where event_id = p_event_id and final_rank <= 10;
    v_is_success := v_total >= v_event.target_votes;
    if v_is_success then
        for v_winner in
            select server_id from public.competitive_event_participations
            where event_id = p_event_id and final_rank <= v_event.winner_count
            order by server_id
        loop
            perform public.extend_prestige(v_winner, v_event.prestige_days, null);
            update public.competitive_event_participations
            set prize_days = v_event.prestige_days
            where event_id = p_event_id and server_id = v_winner;
            v_rewarded := v_rewarded + 1;
        end loop;
    end if;
    update public.competitive_events
    set is_finished = true, is_success = v_is_success, finished_at = p_at, total_votes = v_total, finished_by = p_by
    where id = p_event_id;
    perform public.record_decision('competitive_event_finished', jsonb_build_object(
        'event', p_event_id, 'name', v_event.name, 'as', p_by, 'success', v_is_success, 'votes', v_total,
        'rewarded', v_rewarded
    ));
    return query select v_is_success, v_total, v_rewarded;
end
$$;

create or replace function public.finalize_competitive_event(p_event_id uuid)
returns table (is_success boolean, total_votes integer, rewarded_servers integer)
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    return query select * from public.close_competitive_event(p_event_id, now(), 'administrator');
end
$$;

-- Finishes contests that no administrator has finished within the hours of the setting; returns how
-- many. Skips a contest that another process has locked.
create or replace function public.close_ended_events(p_at timestamptz) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_hours integer := public.setting_integer('competitive_event_finalize_after_hours', 24);
    v_event_id uuid;
    v_closed integer := 0;
begin
    for v_event_id in
        select e.id from public.competitive_events as e
        where e.is_active and not e.is_finished and e.end_date <= p_at - make_interval(hours => v_hours)
        order by e.end_date, e.id
        limit 10
        for update skip locked
    loop
        perform public.close_competitive_event(v_event_id, p_at, 'job');
        v_closed := v_closed + 1;
    end loop;
    return v_closed;
end
$$;

revoke execute on function
    public.count_for_competitions(public.ballot[]), public.close_competitive_event(uuid, timestamptz, text),
    public.finalize_competitive_event(uuid), public.close_ended_events(timestamptz)
from public;
grant execute on function public.finalize_competitive_event(uuid) to authenticated, service_role;
grant execute on function public.close_ended_events(timestamptz) to service_role;
