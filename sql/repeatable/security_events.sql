revoke all on public.security_events from anon, authenticated, service_role;
grant select on public.security_events to authenticated;
grant all on public.security_events to service_role;

drop policy if exists "administrators read the security log" on public.security_events;
create policy "administrators read the security log" on public.security_events
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.security_events;
create policy "the service does everything" on public.security_events
for all to service_role using (true) with check (true);

-- Records a decision from the database itself: who decided, about whom, and the previous state. No
-- page can write such a row.
create or replace function public.record_decision(p_event_type text, p_event_data jsonb) returns void
language sql security definer set search_path = ''
as $$
    insert into public.security_events (event_type, event_data, user_id, origin)
    values (
        p_event_type,
        p_event_data || jsonb_build_object('by', auth.uid()),
        (select id from public.profiles where id = auth.uid()),
        'database'
    )
$$;

-- Records an event that a signed-in page reports. The address in the report is not stored: a
-- browser can send any, and raw addresses are never stored. Past a hundred rows an hour a person's
-- reports are dropped silently, so that nobody can flood the log.
create or replace function public.log_security_event(
    p_event_type text,
    p_event_data jsonb default '{}',
    p_ip_address text default null,
    p_user_agent text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if (
        select count(*) from public.security_events
        where user_id = auth.uid() and origin = 'page' and created_at > now() - interval '1 hour'
    ) >= 100 then
        return;
    end if;
    insert into public.security_events (event_type, event_data, user_id, user_agent)
    values (
        p_event_type,
        coalesce(p_event_data, '{}'),
        (select id from public.profiles where id = auth.uid()),
        left(p_user_agent, 500)
    );
end
$$;
-- The types of events, a hundred at most, found by skipping along their index.
create or replace function public.get_security_event_types() returns setof text
language plpgsql stable security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    return query
    with recursive types (event_type) as (
        select min(e.event_type) from public.security_events as e
        union all
        select (select min(e.event_type) from public.security_events as e where e.event_type > t.event_type)
        from types as t
        where t.event_type is not null
    )
    select t.event_type from types as t where t.event_type is not null limit 100;
end
$$;

revoke execute on function
    public.record_decision(text, jsonb), public.log_security_event(text, jsonb, text, text),
    public.get_security_event_types()
from public;
grant execute on function public.get_security_event_types() to authenticated;
grant execute on function public.log_security_event(text, jsonb, text, text) to authenticated, service_role;
