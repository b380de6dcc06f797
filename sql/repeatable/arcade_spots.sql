revoke all on public.arcade_spots from anon, authenticated, service_role;
-- Everybody sees the tile; its booker and its price are not readable here. Bookers and
-- administrators read them in payments, each in the rows they may see.
grant select (id, server_id, position, start_date, end_date, image_url, website_url, status, created_at, updated_at)
on public.arcade_spots to anon, authenticated;
grant insert, update, delete on public.arcade_spots to authenticated;
grant all on public.arcade_spots to service_role;

drop policy if exists "everyone sees booked spots that are not over" on public.arcade_spots;
create policy "everyone sees booked spots that are not over" on public.arcade_spots
for select to anon, authenticated
using (status in ('paid', 'active', 'suspended') and end_date >= (select public.site_today()));

drop policy if exists "people see the spots they booked" on public.arcade_spots;
create policy "people see the spots they booked" on public.arcade_spots
for select to authenticated using (booked_by = (select auth.uid()));

drop policy if exists "administrators keep the spots" on public.arcade_spots;
create policy "administrators keep the spots" on public.arcade_spots
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.arcade_spots;
create policy "the service does everything" on public.arcade_spots
for all to service_role using (true) with check (true);

drop trigger if exists arcade_spots_touch on public.arcade_spots;
create trigger arcade_spots_touch before update on public.arcade_spots
for each row execute function public.touch_updated_at();

-- The days that a calendar cannot offer, also of reservations that are not paid yet, without their
-- bookers. Runs with its owner's rights.
drop view if exists public.arcade_days_taken;
create view public.arcade_days_taken as
select
    a.position,
    a.start_date,
    a.end_date
from public.arcade_spots as a
where
    a.end_date >= public.site_today()
    and (a.status in ('paid', 'active') or (a.status = 'pending' and coalesce(a.lapses_at > now(), true)));
revoke all on public.arcade_days_taken from anon, authenticated, service_role;
grant select on public.arcade_days_taken to anon, authenticated, service_role;

create or replace function public.calculate_arcade_spot_price(p_days integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
    if p_days is null or p_days not between 1 and 366 then
        raise exception 'The number of days must be between 1 and 366' using errcode = '22023', detail = 'dates_refused';
    end if;
    return p_days * public.setting_integer('arcade_spot_daily_price_cents', 1000);
end
$$;

-- Expires reservations that were not paid in time; returns how many.
create or replace function public.expire_arcade_reservations(p_at timestamptz default now()) returns integer
language sql security definer set search_path = ''
as $$
    with lapsed as (
        update public.arcade_spots set status = 'expired'
        where status = 'pending' and lapses_at <= p_at
        returning 1
    )
    select count(*)::integer from lapsed
$$;

-- Activates paid spots whose first day has come; returns how many.
create or replace function public.start_paid_arcade_spots(p_at timestamptz default now()) returns integer
language sql security definer set search_path = ''
as $$
    with opened as (
        update public.arcade_spots set status = 'active'
        where status = 'paid' and start_date <= public.site_day(p_at)
        returning 1
    )
    select count(*)::integer from opened
$$;

-- Ends spots whose last day is over; returns how many.
create or replace function public.end_arcade_spots(p_at timestamptz default now()) returns integer
language sql security definer set search_path = ''
as $$
    with ended as (
        update public.arcade_spots set status = 'ended'
        where status in ('paid', 'active', 'suspended') and end_date < public.site_day(p_at)
        returning 1
    )
    select count(*)::integer from ended
$$;

-- Checks the fields of a spot's order. Each refusal has its code in the detail; the price procedure
-- checks the number of days.
create or replace function public.check_arcade_order(
    p_position integer, p_start_date date, p_image_url text, p_website_url text
) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
    if p_position is null or p_position not between 1 and 3 then
        raise exception 'Position manquante' using errcode = '22023', detail = 'position_missing';
    elsif p_image_url is null or not public.is_picture_address(p_image_url) then
        raise exception 'Image manquante' using errcode = '22023', detail = 'image_missing';
    elsif p_website_url is not null and not public.is_web_address(p_website_url) then
        raise exception 'The website is no web address' using errcode = '22023', detail = 'website_refused';
    elsif p_start_date < public.site_today() then
        raise exception 'The first day is past' using errcode = '22023', detail = 'dates_refused';
    elsif p_start_date > public.site_today() + 366 then
        raise exception 'The first day is too far away' using errcode = '22023', detail = 'dates_refused';
    end if;
end
$$;

-- Reserves the days until the payment's session ends; the exclusion constraint refuses days that
-- are taken (23P01). Reservations of one position run one at a time, because two that wait for each
-- other would deadlock.
create or replace function public.reserve_arcade_spot(
    p_user_id uuid,
    p_position integer,
    p_start_date date,
    p_end_date date,
    p_image_url text,
    p_website_url text,
    p_server_id uuid
) returns public.arcade_spots
language plpgsql security definer set search_path = ''
as $$
declare
    v_days integer := p_end_date - p_start_date + 1;
    v_amount integer := public.calculate_arcade_spot_price(v_days);
    v_spot public.arcade_spots;
begin
    perform public.check_arcade_order(p_position, p_start_date, p_image_url, p_website_url);
    perform pg_advisory_xact_lock(hashtextextended('public.arcade_spots', p_position));
    update public.arcade_spots set status = 'expired'
    where position = p_position and status = 'pending' and lapses_at <= now();
    insert into public.arcade_spots (
        server_id, position, start_date, end_date, image_url, website_url, price_per_day, total_amount, booked_by,
        lapses_at
    )
    values (
        p_server_id, p_position, p_start_date, p_end_date, p_image_url, p_website_url, v_amount / v_days, v_amount,
        p_user_id, now() + public.payment_session_lasts()
    )
    returning * into v_spot;
    return v_spot;
end
$$;

drop function if exists public.reserve_arcade_spot(uuid, integer, date, date, text, text, text, uuid);

revoke execute on function
    public.calculate_arcade_spot_price(integer), public.expire_arcade_reservations(timestamptz),
    public.start_paid_arcade_spots(timestamptz), public.end_arcade_spots(timestamptz),
    public.check_arcade_order(integer, date, text, text),
    public.reserve_arcade_spot(uuid, integer, date, date, text, text, uuid)
from public;
grant execute on function public.calculate_arcade_spot_price(integer) to anon, authenticated, service_role;
grant execute on function
    public.expire_arcade_reservations(timestamptz), public.start_paid_arcade_spots(timestamptz),
    public.end_arcade_spots(timestamptz)
to service_role;
