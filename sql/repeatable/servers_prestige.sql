-- Promotion by days from an administrator, earned days or a payment.

-- Refuses with a text that the site's pages show as it is.
create or replace function public.require_prestige_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
    perform public.require_admin('Action réservée aux fondateurs et administrateurs');
end
$$;

-- Shows listings again that were hidden when Prestige ended, up to the limit: the promoted one
-- first, then the oldest. Skips locked rows: waiting for them while holding others could deadlock.
create or replace function public.show_lapsed_servers(p_server_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_owner_id uuid := (select owner_id from public.servers where id = p_server_id);
    v_room bigint;
begin
    perform from public.profiles where id = v_owner_id for no key update;
    select public.server_limit_of(v_owner_id) - count(*) into v_room
    from public.servers
    where owner_id = v_owner_id and not is_hidden;
    with returning_ones as materialized (
        select id from public.servers
        where owner_id = v_owner_id and is_hidden and hidden_reason = 'bonus_expired'
        order by id <> p_server_id, created_at, id
        limit greatest(v_room, 0)
        for no key update skip locked
    )
    update public.servers as s
    set is_hidden = false, hidden_reason = null
    from returning_ones
    where returning_ones.id = s.id;
end
$$;

-- Adds days to the remaining time, or to now. Prestige that begins or was paid for is shown.
create or replace function public.extend_prestige(p_server_id uuid, p_days integer, p_payment_id uuid)
returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
    v_expires_at timestamptz;
begin
    if p_days is null or p_days not between 1 and 3650 then
        raise exception 'The number of days must be between 1 and 3650' using errcode = '22023';
    end if;
    update public.servers
    set
        prestige_expires_at
        = case when is_sponsored then greatest(prestige_expires_at, now()) else now() end + make_interval(days => p_days),
        shows_prestige
        = shows_prestige or p_payment_id is not null or not (is_sponsored and coalesce(prestige_expires_at > now(), false)),
        is_sponsored = true,
        sponsor_tier = 'gold',
        prestige_payment_id = coalesce(p_payment_id, prestige_payment_id)
    where id = p_server_id
    returning prestige_expires_at into v_expires_at;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
    perform public.show_lapsed_servers(p_server_id);
    return v_expires_at;
end
$$;

create or replace function public.activate_prestige(p_server_id uuid, p_days integer default 30) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_prestige_admin();
    return public.extend_prestige(p_server_id, p_days, null);
end
$$;

create or replace function public.deactivate_prestige(p_server_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_prestige_admin();
    update public.servers
    set
        is_sponsored = false,
        sponsor_tier = null,
        custom_color = null,
        prestige_expires_at = null,
        prestige_payment_id = null
    where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
end
$$;

-- Uses earned days, the oldest first; either all that were requested, or none.
create or replace function public.use_prestige_pass_days(p_server_id uuid, p_days integer default 1)
returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
    v_used integer;
begin
    if not public.owns_server(p_server_id) or not public.may_contribute() then
        raise exception 'Only the owner of the server may do this' using errcode = '42501';
    end if;
    with available as (
        select id from public.prestige_pass_days
        where user_id = auth.uid() and not is_used
        order by earned_at, milestone
        limit greatest(p_days, 0)
        for update
    )
    update public.prestige_pass_days as d
    set is_used = true, used_at = now(), server_id = p_server_id
    from available
    where d.id = available.id;
    get diagnostics v_used = row_count;
    if v_used = 0 or v_used < p_days then
        raise exception 'Not enough Prestige Pass days' using errcode = '22023';
    end if;
    return public.extend_prestige(p_server_id, p_days, null);
end
$$;

-- Hides bonus listings when the Prestige that allowed them has ended: the newest first.
create or replace function public.lapse_prestige(p_at timestamptz default now()) returns integer
language sql security definer set search_path = ''
as $$
    with placed as (
        select
            s.id,
            s.is_prestige_bonus,
            row_number() over (partition by s.owner_id order by s.is_prestige_bonus, s.created_at, s.id)
            - count(*) filter (where s.is_sponsored and s.prestige_expires_at > p_at) over (partition by s.owner_id)
            as place
        from public.servers as s
        -- Only owners with visible bonus listings.
        where
            not s.is_hidden
            and s.owner_id in (
                select bonus.owner_id from public.servers as bonus where bonus.is_prestige_bonus and not bonus.is_hidden
            )
    ),
    hidden as (
        update public.servers as s
        set is_hidden = true, hidden_reason = 'bonus_expired'
        from placed
        where
            placed.id = s.id
            and placed.is_prestige_bonus
            and placed.place > public.setting_integer('base_server_limit', 3)
        returning 1
    )
    select count(*)::integer from hidden
$$;

revoke execute on function
    public.require_prestige_admin(), public.show_lapsed_servers(uuid), public.extend_prestige(uuid, integer, uuid),
    public.activate_prestige(uuid, integer),
    public.deactivate_prestige(uuid), public.use_prestige_pass_days(uuid, integer),
    public.lapse_prestige(timestamptz)
from public;
grant execute on function
    public.activate_prestige(uuid, integer), public.deactivate_prestige(uuid),
    public.use_prestige_pass_days(uuid, integer)
to authenticated, service_role;
grant execute on function public.lapse_prestige(timestamptz) to service_role;
