-- Former slugs of listings. Callers can only look up a single slug, and only renaming a listing
-- writes rows.
revoke all on public.server_former_slugs from anon, authenticated, service_role;
grant select on public.server_former_slugs to service_role;

drop policy if exists "the service reads old addresses" on public.server_former_slugs;
create policy "the service reads old addresses" on public.server_former_slugs
for select to service_role using (true);

-- Whether a slug belongs to another listing, or redirects to one.
create or replace function public.is_slug_taken(p_slug text, p_server_id uuid) returns boolean
language sql stable set search_path = ''
as $$
    select exists (select from public.servers where slug = p_slug and id is distinct from p_server_id)
        or exists (
            select from public.server_former_slugs
            where slug = p_slug and server_id is distinct from p_server_id
        )
$$;

-- Changes the slug with the listing's name; the former slug redirects to the new one. A new
-- spelling with the same slug changes nothing, also if the slug has a suffix because of another
-- listing with this name. Ten former slugs are kept, so that repeated renaming does not take names
-- from others.
create or replace function public.rename_server_page() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_base text := public.slug_of_name(new.name);
begin
    if v_base = public.slug_of_name(old.name) then
        return new;
    end if;
    new.slug := public.free_slug(v_base, new.id);
    delete from public.server_former_slugs where slug = new.slug and server_id = new.id;
    insert into public.server_former_slugs (slug, server_id, left_at)
    values (old.slug, new.id, clock_timestamp());
    delete from public.server_former_slugs
    where slug in (
        select slug from public.server_former_slugs
        where server_id = new.id
        order by left_at desc, slug
        offset 10
    );
    return new;
end
$$;

drop trigger if exists servers_50_page_renamed on public.servers;
create trigger servers_50_page_renamed before update of name on public.servers
for each row when (old.name <> new.name) execute function public.rename_server_page();

-- The current slug of the listing that had this slug before; null if none had, or if the caller may
-- not see the listing.
create or replace function public.moved_server_slug(p_slug text) returns text
language sql stable security definer set search_path = ''
as $$
    select s.slug
    from public.server_former_slugs as former
    join public.servers as s on s.id = former.server_id
    where
        former.slug = p_slug
        and (
            (s.is_approved and not s.is_hidden)
            or s.owner_id = (select auth.uid())
            or (select public.is_admin())
        )
$$;

revoke execute on function
    public.is_slug_taken(text, uuid), public.rename_server_page(), public.moved_server_slug(text)
from public;
grant execute on function public.moved_server_slug(text) to anon, authenticated, service_role;
