revoke all on public.server_clicks from anon, authenticated, service_role;
-- No caller may read the hash of a visitor's address.
grant select (id, server_id, clicked_at, day) on public.server_clicks to anon, authenticated;
grant all on public.server_clicks to service_role;

drop policy if exists "everyone sees the clicks of public listings" on public.server_clicks;
create policy "everyone sees the clicks of public listings" on public.server_clicks
for select to anon, authenticated
using (
    exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the clicks of their listings" on public.server_clicks;
create policy "owners see the clicks of their listings" on public.server_clicks
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all clicks" on public.server_clicks;
create policy "administrators see all clicks" on public.server_clicks
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_clicks;
create policy "the service does everything" on public.server_clicks
for all to service_role using (true) with check (true);

-- Counts a click; returns whether it was counted. A visitor, identified by the keyed hash of the
-- address, counts once a day for a listing; otherwise repeated clicks would decide the order of
-- lists. Only the site's function calls this, because it knows the address.
drop function if exists public.record_server_click(uuid);
create or replace function public.record_server_click(
    p_server_id uuid, p_ip_hash text, p_at timestamptz default now()
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
begin
    insert into public.server_clicks (server_id, ip_hash, clicked_at, day)
    select server_id, p_ip_hash, p_at, v_day from public.server_standings
    where server_id = p_server_id and is_listed
    on conflict (server_id, day, ip_hash) do nothing;
    if not found then
        return false;
    end if;
    -- Locks the standing before its day, as a vote does.
    update public.server_standings set clicks = clicks + 1 where server_id = p_server_id;
    insert into public.server_daily_counts (server_id, day, clicks)
    values (p_server_id, v_day, 1)
    on conflict (server_id, day) do update set clicks = server_daily_counts.clicks + 1;
    return true;
end
$$;

revoke execute on function public.record_server_click(uuid, text, timestamptz) from public;
grant execute on function public.record_server_click(uuid, text, timestamptz) to service_role;
