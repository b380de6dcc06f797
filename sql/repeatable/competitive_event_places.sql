-- The daily places of a contest's ten best listings. Rows of hidden listings are not visible.
revoke all on public.competitive_event_places from anon, authenticated, service_role;
grant select on public.competitive_event_places to anon, authenticated;
grant all on public.competitive_event_places to service_role;

drop policy if exists "everyone sees the days of public listings in contests they see" on public.competitive_event_places;
create policy "everyone sees the days of public listings in contests they see" on public.competitive_event_places
for select to anon, authenticated
using (
    exists (select from public.competitive_events as e where e.id = event_id)
    and exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "the service does everything" on public.competitive_event_places;
create policy "the service does everything" on public.competitive_event_places
for all to service_role using (true) with check (true);

-- Stores the places of a contest's ten best listings for the day of `p_at`, or for the contest's
-- last day if that is earlier. Replaces the day's earlier rows.
create or replace function public.record_event_places(p_event_id uuid, p_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := (
        select public.site_day(least(p_at, end_date - interval '1 microsecond'))
        from public.competitive_events
        where id = p_event_id
    );
begin
    delete from public.competitive_event_places where event_id = p_event_id and day = v_day;
    insert into public.competitive_event_places (event_id, day, server_id, place, votes_count)
    select s.event_id, v_day, s.server_id, s.place, s.votes_count
    from public.competitive_event_standings as s
    where s.event_id = p_event_id and s.place <= 10;
end
$$;

-- Stores the places of every running contest; returns how many contests. Skips a contest that
-- another process has locked.
create or replace function public.keep_event_places(p_at timestamptz) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_event_id uuid;
    v_place_count integer := 0;
begin
    for v_event_id in
        select e.id from public.competitive_events as e
        where e.is_active and not e.is_finished and e.start_date <= p_at
        order by e.id
        for no key update skip locked
    loop
        perform public.record_event_places(v_event_id, p_at);
        v_place_count := v_place_count + 1;
    end loop;
    return v_place_count;
end
$$;

revoke execute on function public.record_event_places(uuid, timestamptz), public.keep_event_places(timestamptz) from public;
grant execute on function public.keep_event_places(timestamptz) to service_role;
