-- Sites that the footer links to. Only the procedures below write the results of backlink checks,
-- and only administrators read them, in partners_overseen.
revoke all on public.partners from anon, authenticated, service_role;
grant select (id, name, url, logo_url, description, position, is_active, created_at, updated_at)
on public.partners to anon, authenticated;
grant insert (name, url, logo_url, description, position, backlink_url, is_active),
update (name, url, logo_url, description, position, backlink_url, is_active), delete
on public.partners to authenticated;
grant all on public.partners to service_role;

drop policy if exists "everyone sees active partners" on public.partners;
create policy "everyone sees active partners" on public.partners
for select to anon, authenticated using (is_active);

drop policy if exists "administrators keep the partners" on public.partners;
create policy "administrators keep the partners" on public.partners
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.partners;
create policy "the service does everything" on public.partners
for all to service_role using (true) with check (true);

drop trigger if exists partners_touch on public.partners;
create trigger partners_touch before update on public.partners
for each row execute function public.touch_updated_at();

-- Clears the result of the check when the checked page changes.
create or replace function public.clear_backlink() returns trigger
language plpgsql set search_path = ''
as $$
begin
    new.backlink_found := null;
    new.backlink_fault := null;
    new.backlink_checked_at := null;
    new.backlink_asked_at := now();
    new.backlink_leased_until := null;
    return new;
end
$$;

drop trigger if exists partners_backlink_forgotten on public.partners;
create trigger partners_backlink_forgotten before update on public.partners
for each row when (old.backlink_url is distinct from new.backlink_url)
execute function public.clear_backlink();

-- Requests a check of a partner's page, as an administrator.
create or replace function public.check_backlink(p_partner_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    update public.partners set backlink_asked_at = now()
    where id = p_partner_id and backlink_url is not null;
    if not found then
        raise exception 'No such partner' using errcode = 'PT404';
    end if;
end
$$;

-- Claims pages whose check was requested, or whose last check was a day ago. Nobody else gets them
-- before the lease ends.
create or replace function public.claim_backlink_checks(p_at timestamptz, p_lease integer, p_rows integer)
returns table (partner_id uuid, address text)
language sql security definer set search_path = ''
as $$
    update public.partners as p
    set backlink_leased_until = p_at + make_interval(secs => p_lease)
    from (
        select d.id from public.partners as d
        where d.backlink_url is not null
            and (d.backlink_leased_until is null or d.backlink_leased_until <= p_at)
            and (
                d.backlink_checked_at is null
                or d.backlink_checked_at < d.backlink_asked_at
                or (d.is_active and d.backlink_checked_at < p_at - interval '1 day')
            )
        order by d.backlink_asked_at desc
        limit p_rows
        for update skip locked
    ) as due
    where p.id = due.id
    returning p.id, p.backlink_url
$$;

-- Stores the result of a check, unless the partner has another page by now. `p_found` is null if
-- the page could not be read.
create or replace function public.set_backlink(
    p_partner_id uuid, p_address text, p_at timestamptz, p_found boolean, p_fault text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    update public.partners
    set
        backlink_found = p_found,
        backlink_fault = p_fault,
        backlink_checked_at = p_at,
        backlink_leased_until = null
    where id = p_partner_id and backlink_url = p_address;
    return found;
end
$$;

revoke execute on function
    public.clear_backlink(), public.check_backlink(uuid),
    public.claim_backlink_checks(timestamptz, integer, integer),
    public.set_backlink(uuid, text, timestamptz, boolean, text)
from public;
grant execute on function public.check_backlink(uuid) to authenticated;

-- Partners with the results of their checks. The caller's role is checked once a statement.
drop view if exists public.partners_overseen;
create view public.partners_overseen as
select
    p.id, p.name, p.url, p.logo_url, p.description, p.position, p.is_active, p.backlink_url, p.backlink_found,
    p.backlink_fault, p.backlink_checked_at, p.backlink_asked_at, p.created_at, p.updated_at
from public.partners as p
where (select public.is_admin());

revoke all on public.partners_overseen from anon, authenticated, service_role;
grant select on public.partners_overseen to authenticated;

create trigger nobody_writes instead of insert or update or delete on public.partners_overseen
for each row execute function public.refuse_writing();
