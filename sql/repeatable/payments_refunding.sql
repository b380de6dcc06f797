-- Refunds: requested here, made by the provider, then recorded. A payment whose subject was deleted
-- becomes a refund by itself (payments_settling.sql).

-- The number of bought days that have not begun.
create or replace function public.unused_days(p_payment public.payments, p_at timestamptz default now())
returns integer
language sql stable security definer set search_path = ''
as $$
    select greatest(0, case
        when p_payment.covers_until is null then 0
        when p_payment.kind = 'prestige' then
            floor(extract(epoch from p_payment.covers_until - greatest(p_payment.covers_from, p_at)) / 86400)
        else
            public.site_day(p_payment.covers_until)
            - greatest(public.site_day(p_payment.covers_from), public.site_day(p_at) + 1)
    end)::integer
$$;

-- Locks a payment together with the payments whose days move if its own are withdrawn: all of the
-- same server, by id, before the server's own days. So concurrent refunds and payments of one
-- server cannot deadlock.
create or replace function public.lock_payment(p_payment_id uuid) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
begin
    perform public.lock_subject(p_payment_id);
    perform from public.payments as p
    where p.id = p_payment_id
        or (p.kind = 'prestige' and p.server_id = (select own.server_id from public.payments as own where own.id = p_payment_id))
    order by p.id
    for update;
    select * into v_payment from public.payments where id = p_payment_id;
    return v_payment;
end
$$;

-- Withdraws the days of a purchase that have not begun; later purchases move forward.
create or replace function public.withdraw_unused_days(p_payment public.payments) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_days integer := public.unused_days(p_payment);
    v_time interval := make_interval(days => v_days);
begin
    if v_days = 0 then
        return;
    elsif p_payment.kind = 'prestige' then
        update public.servers
        set prestige_expires_at = greatest(now(), prestige_expires_at - v_time)
        where id = p_payment.server_id and is_sponsored and prestige_expires_at > now();
        update public.payments
        set covers_from = greatest(now(), covers_from - v_time), covers_until = covers_until - v_time
        where server_id = p_payment.server_id and kind = 'prestige' and id <> p_payment.id
            and covers_from >= p_payment.covers_until;
    else
        update public.arcade_spots
        set
            status = case when start_date > public.site_today() then 'cancelled' else status end,
            end_date = greatest(start_date, least(end_date, public.site_today()))
        where id = p_payment.spot_id and status in ('paid', 'active', 'suspended');
    end if;
    update public.payments
    set covers_until = greatest(covers_from, covers_until - v_time)
    where id = p_payment.id;
end
$$;

-- The amount that a withdrawal refunds, and its deadline. A payer who asked for the days to begin
-- at once pays for those that have begun; others pay for none.
create or replace function public.quote_withdrawal(p_payment_id uuid) returns table (
    may_withdraw boolean, until timestamptz, unused_days integer, refund_cents integer
)
language sql stable security definer set search_path = ''
as $$
    select
        p.state = 'paid' and now() < ends.at and sums.refund_cents > 0,
        ends.at, sums.unused, sums.refund_cents
    from public.payments as p
    cross join lateral (
        select p.paid_at + make_interval(days => public.setting_integer('withdrawal_days', 14)) as at
    ) as ends
    cross join lateral (
        select
            least(public.unused_days(p), p.days) as unused,
            greatest(0, least(p.amount_cents - p.refunded_cents, case
                when p.begins_at_once then p.amount_cents::bigint * least(public.unused_days(p), p.days) / p.days
                else p.amount_cents
            end))::integer as refund_cents
    ) as sums
    where p.id = p_payment_id and p.user_id = auth.uid()
$$;

-- Withdraws from a payment, as the payer, for the amount that was shown. If the amount has changed
-- since, refuses with 22023, so that it is shown again.
create or replace function public.withdraw_from_payment(p_payment_id uuid, p_refund_cents integer)
returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_quote record;
begin
    if not exists (select from public.payments where id = p_payment_id and user_id = auth.uid()) then
        raise exception 'No such payment' using errcode = 'PT404';
    end if;
    v_payment := public.lock_payment(p_payment_id);
    select * into v_quote from public.quote_withdrawal(p_payment_id);
    if v_payment.state in ('to_refund', 'refunded') and v_payment.refund_reason = 'withdrawn' then
        return v_payment;
    elsif not v_quote.may_withdraw then
        raise exception 'This purchase can no longer be withdrawn from' using errcode = '22023', detail = 'too_late';
    elsif v_quote.refund_cents is distinct from p_refund_cents then
        raise exception 'The amount has changed' using errcode = '22023', detail = 'amount_changed';
    end if;
    return public.ask_for_refund(v_payment, v_quote.refund_cents, 'withdrawn');
end
$$;

-- Refunds the rest of a payment or a part of it, as an administrator, with a reason. The days that
-- have not begun are withdrawn. A second request is refused with its own code.
drop function if exists public.refund_payment(uuid, integer);
create or replace function public.refund_payment(
    p_payment_id uuid, p_amount_cents integer default null, p_note text default null
) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_remaining integer;
begin
    perform public.require_admin();
    v_payment := public.lock_payment(p_payment_id);
    if v_payment.id is null then
        raise exception 'No such payment' using errcode = 'PT404';
    elsif v_payment.state in ('to_refund', 'refunded') then
        raise exception 'This payment is given back already' using errcode = '22023', detail = 'refund_asked';
    elsif v_payment.state <> 'paid' then
        raise exception 'Only a payment that counts can be given back' using errcode = '22023', detail = 'not_paid';
    end if;
    v_remaining := v_payment.amount_cents - v_payment.refunded_cents;
    if coalesce(p_amount_cents, v_remaining) not between 1 and v_remaining then
        raise exception 'The amount must be between 1 and % cents', v_remaining
        using errcode = '22023', detail = 'refund_amount';
    end if;
    perform public.record_decision('payment_refunded', jsonb_build_object(
        'payment', p_payment_id, 'user', v_payment.user_id, 'cents', coalesce(p_amount_cents, v_remaining),
        'reason', nullif(btrim(p_note), '')
    ));
    update public.payments set refund_note = nullif(btrim(p_note), '') where id = p_payment_id
    returning * into v_payment;
    return public.ask_for_refund(v_payment, coalesce(p_amount_cents, v_remaining), 'administrator');
end
$$;

-- Requests a refund from the provider. The caller has locked the payment (lock_payment).
create or replace function public.ask_for_refund(p_payment public.payments, p_cents integer, p_reason text)
returns public.payments
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.withdraw_unused_days(p_payment);
    update public.payments
    set state = 'to_refund', refund_cents = p_cents, refund_reason = p_reason, refund_at = now(), refund_attempts = 0,
        refund_failed_at = null, problem = null
    where id = p_payment.id
    returning * into p_payment;
    perform public.notify_payer(
        p_payment.id, case p_reason when 'withdrawn' then 'withdrawn' else 'to_refund' end, null, p_cents
    );
    return p_payment;
end
$$;

-- Claims due refunds. A refund is due again later unless its result is recorded by then.
create or replace function public.claim_refunds(p_at timestamptz, p_rows integer)
returns table (id uuid, provider text, session_id text, charge_id text, cents integer, currency text, attempts integer)
language sql security definer set search_path = ''
as $$
    with due as (
        select p.id from public.payments as p
        where p.refund_at <= p_at
        order by p.refund_at
        limit p_rows
        for update skip locked
    )
    update public.payments as p
    set
        refund_attempts = p.refund_attempts + 1,
        refund_at = p_at + least(interval '6 hours', interval '1 minute' * power(2, least(p.refund_attempts, 9)))
    from due
    where p.id = due.id
    returning p.id, p.provider, p.session_id, p.charge_id, p.refund_cents, p.currency, p.refund_attempts
$$;

-- Records that the provider has made a refund; returns true the first time.
create or replace function public.record_refund(p_payment_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_has_credit boolean;
begin
    -- A refund that failed later already got its credit note when it seemed complete.
    v_has_credit := exists (
        select from public.payments as p
        inner join public.payment_receipts as r on r.payment_id = p.id and r.kind = 'credit'
        where p.id = p_payment_id
        group by p.id, p.refunded_cents, p.refund_cents
        having sum(r.amount_cents) >= p.refunded_cents + p.refund_cents
    );
    update public.payments
    set
        state = 'refunded', refunded_cents = refunded_cents + refund_cents, refunded_at = now(), refund_at = null,
        problem = null
    where id = p_payment_id and state = 'to_refund'
    returning * into v_payment;
    if not found then
        return false;
    end if;
    -- A payment that never counted has no receipt and gets no credit note; money that is sent a
    -- second time gets no second one.
    perform public.notify_payer(
        v_payment.id, 'refunded',
        case when v_payment.covers_until is not null and not v_has_credit then
            public.issue_payment_receipt(v_payment, 'credit', v_payment.refund_cents)
        end,
        v_payment.refund_cents
    );
    return true;
end
$$;

-- Stores why the provider has not made a refund.
create or replace function public.record_refund_problem(p_payment_id uuid, p_problem text) returns void
language sql security definer set search_path = ''
as $$
    update public.payments set problem = left(p_problem, 500) where id = p_payment_id and state = 'to_refund'
$$;

-- Records the total that the provider has refunded of a charge, by our request or by hand at the
-- provider. Our own request is recorded as complete; a full refund that we did not request
-- withdraws the days that have not begun.
create or replace function public.record_provider_refund(p_charge_id text, p_total_cents integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_more integer;
begin
    v_payment := public.lock_payment((select id from public.payments where charge_id = p_charge_id));
    v_more := p_total_cents - v_payment.refunded_cents;
    if v_payment.id is null or v_more <= 0 then
        return false;
    elsif v_payment.state = 'to_refund' and v_payment.refund_failed_at is not null then
        -- The notice was sent before the failure and arrived after it.
        return false;
    elsif v_payment.state = 'to_refund' then
        return v_more >= v_payment.refund_cents and public.record_refund(v_payment.id);
    elsif v_payment.state <> 'paid' and v_payment.state <> 'refunded' then
        return false;
    end if;
    if v_payment.state = 'paid' and p_total_cents >= v_payment.amount_cents then
        perform public.withdraw_unused_days(v_payment);
    end if;
    update public.payments
    set
        state = case when p_total_cents >= amount_cents then 'refunded' else state end,
        refund_reason = coalesce(refund_reason, 'provider'),
        refunded_cents = p_total_cents,
        refunded_at = now()
    where id = v_payment.id
    returning * into v_payment;
    perform public.notify_payer(
        v_payment.id, 'refunded',
        case when v_payment.covers_until is not null then public.issue_payment_receipt(v_payment, 'credit', v_more) end,
        v_more
    );
    return true;
end
$$;

-- Records that a refund did not arrive. A person has to refund by other means, because a second
-- request to the provider gives the same response. Returns true the first time.
create or replace function public.record_failed_refund(p_charge_id text, p_cents integer, p_problem text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_cents integer;
begin
    v_payment := public.lock_payment((select id from public.payments where charge_id = p_charge_id));
    if v_payment.id is null or v_payment.refund_failed_at is not null
        or v_payment.state not in ('paid', 'to_refund', 'refunded')
    then
        return false;
    end if;
    v_cents := case
        when v_payment.state = 'to_refund' then v_payment.refund_cents
        else least(coalesce(p_cents, v_payment.refunded_cents), v_payment.refunded_cents)
    end;
    if v_cents <= 0 then
        return false;
    end if;
    -- A payment that still counts stays paid, with a smaller refunded amount; any other one waits
    -- for a person.
    update public.payments
    set
        state = case state when 'paid' then state else 'to_refund' end,
        refund_at = case state when 'paid' then null else 'infinity'::timestamptz end,
        refund_cents = case state when 'paid' then refund_cents else v_cents end,
        refunded_cents = case state when 'to_refund' then refunded_cents else refunded_cents - v_cents end,
        refund_reason = coalesce(refund_reason, 'provider'),
        refund_failed_at = now(),
        problem = left(coalesce(nullif(btrim(p_problem), ''), 'The refund failed'), 500)
    where id = v_payment.id;
    -- An existing credit note stays valid for the amount that is owed, so there is no second one.
    return true;
end
$$;

-- Records that a person has refunded by other means what the provider could not.
create or replace function public.settle_failed_refund(p_payment_id uuid, p_note text) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
begin
    perform public.require_admin();
    v_payment := public.lock_payment(p_payment_id);
    if v_payment.id is null then
        raise exception 'No such payment' using errcode = 'PT404';
    elsif v_payment.state <> 'to_refund' or v_payment.refund_failed_at is null then
        raise exception 'No refund of this payment waits for a person' using errcode = '22023', detail = 'refund_settled';
    elsif nullif(btrim(p_note), '') is null then
        raise exception 'Say how the money went back' using errcode = '22023', detail = 'note_missing';
    end if;
    perform public.record_decision('refund_settled', jsonb_build_object(
        'payment', p_payment_id, 'user', v_payment.user_id, 'cents', v_payment.refund_cents, 'reason', btrim(p_note)
    ));
    update public.payments set refund_note = left(btrim(p_note), 500) where id = p_payment_id;
    perform public.record_refund(p_payment_id);
    select * into v_payment from public.payments where id = p_payment_id;
    return v_payment;
end
$$;

-- Records that the payer's bank disputes the payment; returns true the first time.
create or replace function public.record_dispute(p_charge_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
begin
    update public.payments set disputed_at = now() where charge_id = p_charge_id and disputed_at is null
    returning * into v_payment;
    if found then
        perform public.notify_payer(v_payment.id, 'disputed', null, v_payment.amount_cents);
    end if;
    return found;
end
$$;

revoke execute on function
    public.unused_days(public.payments, timestamptz), public.lock_payment(uuid), public.withdraw_unused_days(public.payments),
    public.quote_withdrawal(uuid), public.withdraw_from_payment(uuid, integer),
    public.refund_payment(uuid, integer, text), public.ask_for_refund(public.payments, integer, text),
    public.claim_refunds(timestamptz, integer), public.record_refund(uuid),
    public.record_refund_problem(uuid, text), public.record_provider_refund(text, integer), public.record_dispute(text),
    public.record_failed_refund(text, integer, text), public.settle_failed_refund(uuid, text)
from public;
grant execute on function public.quote_withdrawal(uuid), public.withdraw_from_payment(uuid, integer) to authenticated;
grant execute on function public.refund_payment(uuid, integer, text) to authenticated, service_role;
grant execute on function
    public.claim_refunds(timestamptz, integer), public.record_refund(uuid),
    public.record_refund_problem(uuid, text), public.record_provider_refund(text, integer), public.record_dispute(text),
    public.record_failed_refund(text, integer, text)
to service_role;
grant execute on function public.settle_failed_refund(uuid, text) to authenticated;
