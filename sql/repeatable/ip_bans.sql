-- Addresses and networks that may not vote. Administrators ban networks and lift any ban; a ban of
-- an address needs its hash, which only the site's functions know. Processes cache banned networks
-- for a few seconds (see network_blocklist.rs); each vote looks up its address.
revoke all on public.ip_bans from anon, authenticated, service_role;
grant select, insert (network, reason, expires_at), update (reason, expires_at), delete on public.ip_bans to authenticated;
grant all on public.ip_bans to service_role;

drop policy if exists "administrators see and lift bans" on public.ip_bans;
drop policy if exists "administrators ban networks and lift bans" on public.ip_bans;
create policy "administrators ban networks and lift bans" on public.ip_bans
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.ip_bans;
create policy "the service does everything" on public.ip_bans
for all to service_role using (true) with check (true);

-- Sets the author of a ban to the signed-in account.
create or replace function public.sign_ban() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.banned_by := coalesce((select id from public.profiles where id = auth.uid()), new.banned_by);
    return new;
end
$$;

drop trigger if exists ip_bans_sign on public.ip_bans;
create trigger ip_bans_sign before insert on public.ip_bans
for each row execute function public.sign_ban();

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

-- Bans the address of a vote, or the stored addresses from which an account voted; returns how
-- many. No caller sees an address.
create or replace function public.ban_addresses(
    p_vote_id uuid default null, p_user_id uuid default null, p_reason text default null,
    p_expires_at timestamptz default null
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_banned integer;
begin
    perform public.require_admin();
    if num_nonnulls(p_vote_id, p_user_id) <> 1 then
        raise exception 'Name a vote or an account' using errcode = '22023';
    elsif p_user_id is not null then
        perform public.require_authority_over(p_user_id);
    end if;
    insert into public.ip_bans as existing (ip_hash, reason, expires_at)
    select distinct v.ip_hash, p_reason, p_expires_at
    from public.votes as v
    where (v.id = p_vote_id or v.user_id = p_user_id) and v.ip_hash is not null
    on conflict (ip_hash) do update
    set reason = excluded.reason, expires_at = excluded.expires_at, banned_by = excluded.banned_by;
    get diagnostics v_banned = row_count;
    if v_banned = 0 then
        raise exception 'No address is kept any more' using errcode = 'PT404';
    end if;
    return v_banned;
end
$$;

revoke execute on function
    public.ban_addresses(uuid, uuid, text, timestamptz),
    public.ban_ip(text, text, uuid, timestamptz), public.unban_ip(text), public.sign_ban()
from public;
grant execute on function public.ban_ip(text, text, uuid, timestamptz), public.unban_ip(text) to service_role;
grant execute on function public.ban_addresses(uuid, uuid, text, timestamptz) to authenticated;
