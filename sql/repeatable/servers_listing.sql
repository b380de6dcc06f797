-- Creating a listing: its slug, its approval, and the limit of listings for each person.

-- The slug of a stored name.
create or replace function public.slug_of_name(p_name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
    select coalesce(nullif(btrim(left(public.slugify(public.plain_text(p_name)), 60), '-'), ''), 'serveur')
$$;

-- The slug itself, or with a suffix if it belongs to another listing or redirects to one.
create or replace function public.free_slug(p_base text, p_server_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
    v_slug text := p_base;
begin
    -- Of two concurrent listings with one name the second waits here and then sees the first.
    perform pg_advisory_xact_lock(hashtextextended('server slug ' || p_base, 0));
    while public.is_slug_taken(v_slug, p_server_id) loop
        v_slug := p_base || '-' || left(gen_random_uuid()::text, 4);
    end loop;
    return v_slug;
end
$$;

create or replace function public.name_server_page() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.slug := public.free_slug(coalesce(new.slug, public.slug_of_name(new.name)), new.id);
    return new;
end
$$;

create or replace function public.active_prestige_count(p_owner_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
    select count(*)::integer
    from public.servers
    where owner_id = p_owner_id and is_sponsored and prestige_expires_at > now()
$$;

create or replace function public.server_limit_of(p_owner_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
    select public.setting_integer('base_server_limit', 3) + public.active_prestige_count(p_owner_id)
$$;

-- Refuses with its own code and the limit, which the page shows.
create or replace function public.refuse_server_over_limit(p_limit integer) returns void
language plpgsql stable set search_path = ''
as $$
begin
    raise exception 'Server limit reached' using errcode = 'P0001', detail = 'server_limit_reached', hint = p_limit::text;
end
$$;

-- Does not count for a row that row security will refuse: the error would reveal how many listings
-- another person has. The owner's profile is locked, so that concurrent listings are counted one
-- after the other.
create or replace function public.admit_server() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_owned integer;
begin
    new.is_approved := coalesce(new.is_approved, public.setting_boolean('auto_approve_servers', true));
    if new.owner_id is null
        or not (public.is_trusted_caller() or (new.owner_id = auth.uid() and public.may_contribute()))
    then
        return new;
    end if;
    perform from public.profiles where id = new.owner_id for no key update;
    select count(*) into v_owned from public.servers where owner_id = new.owner_id;
    new.is_prestige_bonus := v_owned >= public.setting_integer('base_server_limit', 3);
    if not public.is_trusted_caller() and v_owned >= public.server_limit_of(new.owner_id) then
        perform public.refuse_server_over_limit(public.server_limit_of(new.owner_id));
    end if;
    return new;
end
$$;

drop trigger if exists servers_40_admission on public.servers;
create trigger servers_40_admission before insert on public.servers
for each row execute function public.admit_server();
drop trigger if exists servers_50_page_name on public.servers;
create trigger servers_50_page_name before insert on public.servers
for each row execute function public.name_server_page();

create or replace function public.get_my_server_slots()
returns table (
    base_limit integer, bonus integer, total_limit integer, used integer, visible integer, available integer
)
language sql stable security definer set search_path = ''
as $$
    select
        limits.base,
        limits.bonus,
        limits.base + limits.bonus,
        owned.used,
        owned.visible,
        greatest(0, limits.base + limits.bonus - owned.used)
    from (
        select
            public.setting_integer('base_server_limit', 3) as base,
            public.active_prestige_count(auth.uid()) as bonus
    ) as limits
    cross join (
        select count(*)::integer as used, count(*) filter (where not is_hidden)::integer as visible
        from public.servers
        where owner_id = auth.uid()
    ) as owned
$$;

-- Owners hide a listing and show it again, but not against a moderator's decision or past the
-- limit.
create or replace function public.set_server_visibility(p_server_id uuid, p_visible boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_server public.servers;
begin
    perform public.require_owner_or_admin(p_server_id);
    select * into v_server from public.servers where id = p_server_id for no key update;
    perform from public.profiles where id = v_server.owner_id for no key update;
    if p_visible is null or v_server.is_hidden = not p_visible then
        return;
    elsif p_visible and v_server.hidden_reason = 'game_closed' then
        raise exception 'The game of this server is not offered' using errcode = 'P0001', detail = 'game_closed';
    elsif p_visible and public.is_ordinary_caller() then
        if v_server.hidden_reason = 'moderation' then
            raise exception 'A moderator disabled this server' using errcode = '42501';
        elsif (select count(*) from public.servers where owner_id = v_server.owner_id and not is_hidden)
            >= public.server_limit_of(v_server.owner_id)
        then
            perform public.refuse_server_over_limit(public.server_limit_of(v_server.owner_id));
        end if;
    end if;
    update public.servers
    set is_hidden = not p_visible, hidden_reason = case when not p_visible then 'owner' end
    where id = p_server_id;
end
$$;

revoke execute on function
    public.slug_of_name(text), public.free_slug(text, uuid), public.name_server_page(),
    public.active_prestige_count(uuid), public.server_limit_of(uuid),
    public.refuse_server_over_limit(integer), public.admit_server(), public.get_my_server_slots(),
    public.set_server_visibility(uuid, boolean)
from public;
grant execute on function public.get_my_server_slots(), public.set_server_visibility(uuid, boolean)
to authenticated, service_role;
