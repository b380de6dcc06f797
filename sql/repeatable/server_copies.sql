-- Only the service uses this table; others read server_daily_counts.copies.
revoke all on public.server_copies from anon, authenticated, service_role;
grant all on public.server_copies to service_role;

drop policy if exists "the service does everything" on public.server_copies;
create policy "the service does everything" on public.server_copies
for all to service_role using (true) with check (true);

-- Counts a copy of the server's address; returns whether it was counted. As with clicks, a visitor,
-- identified by the keyed hash of the address, counts once a day for a listing. Only the site's
-- function calls this.
create or replace function public.record_server_copy(
    p_server_id uuid, p_ip_hash text, p_at timestamptz default now()
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
begin
    insert into public.server_copies (server_id, day, ip_hash)
    select server_id, v_day, p_ip_hash from public.server_standings
    where server_id = p_server_id and is_listed
    on conflict (server_id, day, ip_hash) do nothing;
    if not found then
        return false;
    end if;
    insert into public.server_daily_counts (server_id, day, copies)
    values (p_server_id, v_day, 1)
    on conflict (server_id, day) do update set copies = server_daily_counts.copies + 1;
    return true;
end
$$;

-- Deletes copies of days before `p_before`, at most `p_rows`, the oldest first; returns how many.
-- The counts stay.
create or replace function public.prune_copies(p_before date, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select server_id, day, ip_hash from public.server_copies
        where day < p_before
        order by day
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.server_copies as c using due
        where c.server_id = due.server_id and c.day = due.day and c.ip_hash = due.ip_hash
        returning 1
    )
    select count(*)::integer from thinned
$$;

revoke execute on function
    public.record_server_copy(uuid, text, timestamptz), public.prune_copies(date, integer)
from public;
grant execute on function public.record_server_copy(uuid, text, timestamptz) to service_role;
