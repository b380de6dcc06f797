-- Administrators see and lift bans. Making one needs the hash of an address, which only the site's
-- functions know.
revoke all on public.ip_bans from anon, authenticated, service_role;
grant select, delete on public.ip_bans to authenticated;
grant all on public.ip_bans to service_role;

drop policy if exists "administrators see and lift bans" on public.ip_bans;
create policy "administrators see and lift bans" on public.ip_bans
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.ip_bans;
create policy "the service does everything" on public.ip_bans
for all to service_role using (true) with check (true);

create or replace function public.ban_ip(
    p_ip_hash text, p_reason text, p_banned_by uuid, p_expires_at timestamptz default null
) returns uuid
language sql security definer set search_path = ''
as $$
    insert into public.ip_bans (ip_hash, reason, banned_by, expires_at)
    values (p_ip_hash, p_reason, p_banned_by, p_expires_at)
    on conflict (ip_hash) do update
    set reason = excluded.reason, banned_by = excluded.banned_by, expires_at = excluded.expires_at
    returning id
$$;

create or replace function public.unban_ip(p_ip_hash text) returns boolean
language sql security definer set search_path = ''
as $$
    with lifted as (delete from public.ip_bans where ip_hash = p_ip_hash returning 1)
    select exists (select from lifted)
$$;

revoke execute on function public.ban_ip(text, text, uuid, timestamptz), public.unban_ip(text) from public;
grant execute on function public.ban_ip(text, text, uuid, timestamptz), public.unban_ip(text) to service_role;
