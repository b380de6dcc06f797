-- Payments: opened by the payer, linked to a session of a provider, readable by the payer.
--
-- Every payment ends in exactly one of these ways: no money taken (failed, expired), counted
-- (paid), given back (refunded, after to_refund). Only the functions here and in payments_*.sql
-- write payments.
--
-- These functions lock rows in the order of a deletion: accounts, the server, the spot
-- (lock_subject, begin_order), then payments by id, then the purchase. So they cannot deadlock with
-- a deletion.
revoke all on public.payments from anon, authenticated, service_role;
grant select on public.payments to service_role;
-- The provider's ids of the charge and its messages are not readable.
grant select (
    id, kind, user_id, server_id, spot_id, days, unit_price_cents, amount_cents, currency, language, begins_at_once,
    state, provider, session_id, session_url, created_at, expires_at, paid_at, covers_from, covers_until,
    refund_cents, refund_reason, refunded_cents, refunded_at, disputed_at
) on public.payments to authenticated;

drop policy if exists "people see their own payments" on public.payments;
create policy "people see their own payments" on public.payments
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every payment" on public.payments;
create policy "administrators see every payment" on public.payments
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service sees every payment" on public.payments;
create policy "the service sees every payment" on public.payments
for select to service_role using (true);

-- How long a session can be paid; the days of a spot are reserved for as long.
create or replace function public.payment_session_lasts() returns interval
language sql immutable
as $$
    select interval '30 minutes'
$$;

-- Checks that the caller may buy for a server, and locks the caller's profile, so that concurrent
-- orders of one person run one after the other.
create or replace function public.begin_order(p_server_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_user_id uuid := auth.uid();
begin
    if not public.may_contribute() then
        raise exception 'Only people with an account may buy' using errcode = '42501', detail = 'not_allowed';
    elsif p_server_id is not null and not public.owns_server(p_server_id) then
        raise exception 'Only the owner of the server may do this' using errcode = '42501', detail = 'not_owner';
    end if;
    perform from public.profiles where id = v_user_id for no key update;
    if not found then
        raise exception 'Only people with an account may buy' using errcode = '42501', detail = 'not_allowed';
    end if;
    perform from public.servers where id = p_server_id for key share;
    if not found and p_server_id is not null then
        raise exception 'Server not found' using errcode = 'PT404', detail = 'server_not_found';
    end if;
    perform public.refuse_over_limit(
        (select count(*) from public.payments where user_id = v_user_id and state = 'open'), 10, 'open_payments'
    );
    return v_user_id;
end
$$;

-- Locks the payer, the server's owner, the server and the spot of a payment, so that none is
-- deleted before the payment is settled; waits for a deletion that has begun. Called before the
-- payment itself is locked.
create or replace function public.lock_subject(p_payment_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
begin
    select * into v_payment from public.payments where id = p_payment_id;
    perform from public.profiles
    where id = v_payment.user_id or id = (select s.owner_id from public.servers as s where s.id = v_payment.server_id)
    order by id
    for key share;
    perform from public.servers where id = v_payment.server_id for key share;
    perform from public.arcade_spots where id = v_payment.spot_id for key share;
end
$$;

-- Opens a payment of Prestige for the caller, or returns the same one if it is still open. Open
-- payments are looked up again after the payer is locked, because there may be concurrent requests.
-- The amount comes from the price list, never from the browser.
create or replace function public.open_prestige_payment(
    p_server_id uuid, p_days integer, p_language text default 'fr', p_begins_at_once boolean default false
) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_amount integer := public.calculate_prestige_price(p_days);
    v_user_id uuid;
    v_payment public.payments;
begin
    if p_server_id is null then
        raise exception 'Server not found' using errcode = 'PT404', detail = 'server_not_found';
    elsif v_amount is null then
        raise exception 'There is no price for % days', p_days using errcode = '22023', detail = 'no_price';
    end if;
    loop
        select * into v_payment from public.payments
        where user_id = auth.uid() and kind = 'prestige' and server_id = p_server_id and state = 'open'
            and days = p_days and amount_cents = v_amount and begins_at_once = p_begins_at_once
            and expires_at > now() + interval '10 minutes' and public.owns_server(p_server_id)
            and public.may_contribute()
        limit 1;
        if found then
            return v_payment;
        end if;
        exit when v_user_id is not null;
        v_user_id := public.begin_order(p_server_id);
    end loop;
    insert into public.payments (
        kind, user_id, server_id, days, unit_price_cents, amount_cents, language, begins_at_once, expires_at, look_at
    )
    values (
        'prestige', v_user_id, p_server_id, p_days, v_amount / p_days, v_amount,
        case when p_language in ('fr', 'en', 'es') then p_language else 'fr' end, p_begins_at_once,
        now() + public.payment_session_lasts(), now() + interval '1 minute'
    )
    returning * into v_payment;
    return v_payment;
end
$$;

-- Opens a payment of an Arcade spot and reserves its days. Days that are taken are refused with
-- 23P01. If the caller has an open payment for the same days, it is returned, with the new picture
-- and URL.
create or replace function public.open_arcade_payment(
    p_position integer, p_start_date date, p_end_date date, p_image_url text, p_website_url text default null,
    p_server_id uuid default null, p_language text default 'fr', p_begins_at_once boolean default false
) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_user_id uuid := public.begin_order(p_server_id);
    v_payment public.payments;
    v_spot public.arcade_spots;
begin
    perform public.check_arcade_order(p_position, p_start_date, p_image_url, p_website_url);
    select p.* into v_payment
    from public.payments as p
    inner join public.arcade_spots as a on a.id = p.spot_id
    where p.user_id = v_user_id and p.state = 'open' and p.begins_at_once = p_begins_at_once
        and a.status = 'pending' and a.lapses_at > now() + interval '5 minutes'
        and (a.position, a.start_date, a.end_date) = (p_position, p_start_date, p_end_date)
    for update of p, a;
    if found then
        update public.arcade_spots
        set image_url = p_image_url, website_url = p_website_url, server_id = p_server_id
        where id = v_payment.spot_id;
        update public.payments set server_id = p_server_id where id = v_payment.id
        returning * into v_payment;
        return v_payment;
    end if;
    v_spot := public.reserve_arcade_spot(
        v_user_id, p_position, p_start_date, p_end_date, p_image_url, p_website_url, p_server_id
    );
    insert into public.payments (
        kind, user_id, server_id, spot_id, days, unit_price_cents, amount_cents, language, begins_at_once, expires_at,
        look_at
    )
    values (
        'arcade', v_user_id, p_server_id, v_spot.id, p_end_date - p_start_date + 1, v_spot.price_per_day,
        v_spot.total_amount, case when p_language in ('fr', 'en', 'es') then p_language else 'fr' end,
        p_begins_at_once, v_spot.lapses_at, now() + interval '1 minute'
    )
    returning * into v_payment;
    return v_payment;
end
$$;

-- Links an open payment to the provider's session, once; returns the payment, with the session of
-- the first caller.
create or replace function public.set_payment_session(
    p_payment_id uuid, p_provider text, p_session_id text, p_session_url text
) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
begin
    update public.payments
    set provider = p_provider, session_id = p_session_id, session_url = p_session_url
    where id = p_payment_id and session_id is null and state = 'open';
    select * into v_payment from public.payments where id = p_payment_id;
    if not found then
        raise exception 'No such payment' using errcode = 'PT404';
    end if;
    return v_payment;
end
$$;

-- The state of a payment, for a person who returns from the provider with its session; without data
-- of the payer.
create or replace function public.get_payment_by_session(p_session_id text) returns table (
    kind text, state text, days integer, amount_cents integer, currency text, paid_at timestamptz,
    covers_from timestamptz, covers_until timestamptz, refund_reason text, refunded_cents integer, is_own boolean,
    server_name text, server_slug text, spot_position integer, start_date date, end_date date
)
language sql stable security definer set search_path = ''
as $$
    select
        p.kind, p.state, p.days, p.amount_cents, p.currency, p.paid_at, p.covers_from, p.covers_until, p.refund_reason,
        p.refunded_cents, coalesce(p.user_id = auth.uid(), false), s.name, s.slug, a.position, a.start_date,
        a.start_date + p.days - 1
    from public.payments as p
    left join public.servers as s on s.id = p.server_id
    left join public.arcade_spots as a on a.id = p.spot_id
    where p.session_id = p_session_id
$$;

drop function if exists public.open_prestige_payment(uuid, uuid, integer, text);
drop function if exists public.set_payment_session(uuid, text);
drop function if exists public.confirm_prestige_payment(text);
drop function if exists public.confirm_arcade_payment(text);
drop function if exists public.set_arcade_payment_session(uuid, text);

revoke execute on function
    public.payment_session_lasts(), public.begin_order(uuid), public.lock_subject(uuid),
    public.open_prestige_payment(uuid, integer, text, boolean),
    public.open_arcade_payment(integer, date, date, text, text, uuid, text, boolean),
    public.set_payment_session(uuid, text, text, text), public.get_payment_by_session(text)
from public;
grant execute on function
    public.open_prestige_payment(uuid, integer, text, boolean),
    public.open_arcade_payment(integer, date, date, text, text, uuid, text, boolean)
to authenticated;
grant execute on function public.set_payment_session(uuid, text, text, text) to service_role;
grant execute on function public.get_payment_by_session(text) to anon, authenticated, service_role;
