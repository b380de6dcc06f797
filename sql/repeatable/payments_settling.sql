-- Settles payments by the state of their sessions at the provider. The first source that reports
-- the state settles the payment: a webhook event, the page to which the payer returns, or the job
-- for open payments. Later reports change nothing.

-- Delivers the purchase of a payment whose money was taken; returns the reason for a refund if that
-- is impossible, otherwise null. The caller has locked the payment.
create or replace function public.count_payment(inout p_payment public.payments, out refund_reason text)
language plpgsql security definer set search_path = ''
as $$
declare
    v_until timestamptz;
    v_spot public.arcade_spots;
begin
    if p_payment.user_id is null then
        -- The account was deleted, so nobody is left who could use the purchase or withdraw from
        -- it.
        refund_reason := 'subject_gone';
        update public.arcade_spots set status = 'expired' where id = p_payment.spot_id and status = 'pending';
        return;
    elsif p_payment.kind = 'prestige' then
        begin
            v_until := public.extend_prestige(p_payment.server_id, p_payment.days, p_payment.id);
        exception
            -- The server was deleted.
            when sqlstate 'PT404' then
                refund_reason := 'subject_gone';
                return;
        end;
        p_payment.covers_from := v_until - make_interval(days => p_payment.days);
        p_payment.covers_until := v_until;
        return;
    end if;
    begin
        update public.arcade_spots
        set status = case when start_date <= public.site_today() then 'active' else 'paid' end, lapses_at = null
        where id = p_payment.spot_id and status in ('pending', 'expired') and end_date >= public.site_today()
        returning * into v_spot;
    exception
        -- Another person has taken the days since the reservation expired.
        when exclusion_violation then
            refund_reason := 'days_taken';
            return;
    end;
    if v_spot.id is null then
        refund_reason := case when p_payment.spot_id is null then 'subject_gone' else 'days_taken' end;
        return;
    end if;
    p_payment.covers_from := public.day_begins(v_spot.start_date);
    p_payment.covers_until := public.day_begins(v_spot.end_date + 1);
end
$$;

-- The time at which a day begins in the site's time zone.
create or replace function public.day_begins(p_day date) returns timestamptz
language sql stable security definer set search_path = ''
as $$
    select p_day::timestamp at time zone public.setting_text('site_timezone', 'Europe/Paris')
$$;

-- Records the end of a provider's session: `paid` with the amount taken, `failed` or `expired`. If
-- the session's id was never stored (the process that opened it died), the payment's id in the
-- session identifies the payment. Returns the payment, or null if neither id is known.
create or replace function public.settle_payment(
    p_session_id text, p_payment_id uuid, p_outcome text, p_amount_cents integer default null,
    p_currency text default null, p_charge_id text default null
) returns public.payments
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.payments;
    v_counted record;
begin
    if p_outcome is null or p_outcome not in ('paid', 'failed', 'expired') then
        raise exception 'A session ends as paid, failed or expired' using errcode = '22023';
    end if;
    perform public.lock_subject((
        select id from public.payments
        where session_id = p_session_id or (id = p_payment_id and session_id is null)
        order by session_id nulls last
        limit 1
    ));
    select * into v_payment from public.payments where session_id = p_session_id for update;
    if not found then
        select * into v_payment from public.payments
        where id = p_payment_id and (session_id is null or session_id = p_session_id)
        for update;
        if not found then
            return null;
        end if;
        v_payment.session_id := p_session_id;
    end if;
    -- Money may arrive after a failure or after the session's end, but only once.
    if v_payment.state in ('paid', 'to_refund', 'refunded') or (p_outcome <> 'paid' and v_payment.state <> 'open') then
        return v_payment;
    end if;

    v_payment.look_at := null;
    if p_outcome <> 'paid' then
        v_payment.state := p_outcome;
        update public.arcade_spots set status = 'expired' where id = v_payment.spot_id and status = 'pending';
        if p_outcome = 'failed' then
            perform public.notify_payer(v_payment.id, 'failed', null, 0);
        end if;
    else
        v_payment.paid_at := now();
        v_payment.charge_id := coalesce(p_charge_id, v_payment.charge_id);
        if p_amount_cents is distinct from v_payment.amount_cents or lower(p_currency) is distinct from v_payment.currency
        then
            v_payment.refund_reason := 'amount_differs';
        else
            v_counted := public.count_payment(v_payment);
            v_payment := v_counted.p_payment;
            v_payment.refund_reason := v_counted.refund_reason;
        end if;
        if v_payment.refund_reason is null then
            v_payment.state := 'paid';
        else
            v_payment.state := 'to_refund';
            v_payment.refund_cents := coalesce(p_amount_cents, v_payment.amount_cents);
            v_payment.refund_at := now();
        end if;
    end if;
    update public.payments
    set
        session_id = v_payment.session_id,
        state = v_payment.state,
        look_at = v_payment.look_at,
        paid_at = v_payment.paid_at,
        charge_id = v_payment.charge_id,
        covers_from = v_payment.covers_from,
        covers_until = v_payment.covers_until,
        refund_reason = v_payment.refund_reason,
        refund_cents = v_payment.refund_cents,
        refund_at = v_payment.refund_at
    where id = v_payment.id;
    if v_payment.state = 'paid' then
        perform public.notify_payer(
            v_payment.id, 'counted', public.issue_payment_receipt(v_payment, 'receipt', v_payment.amount_cents),
            v_payment.amount_cents
        );
    elsif v_payment.state = 'to_refund' then
        perform public.notify_payer(v_payment.id, 'to_refund', null, v_payment.refund_cents);
    end if;
    return v_payment;
end
$$;

-- Records a provider's webhook event; returns whether it is new. The event is stored in the same
-- transaction as its effect.
create or replace function public.record_payment_event(
    p_provider text, p_event_id text, p_kind text, p_session_id text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.payment_events (provider, event_id, kind, session_id)
    values (p_provider, p_event_id, p_kind, p_session_id)
    on conflict do nothing;
    return found;
end
$$;

-- Claims open payments whose session is to be checked at the provider. The interval grows with each
-- check, but the next one is at the session's end at the latest. `is_over`: the session has
-- expired, so the provider is asked to end it.
create or replace function public.claim_open_payments(p_at timestamptz, p_rows integer)
returns table (id uuid, provider text, session_id text, is_over boolean)
language sql security definer set search_path = ''
as $$
    with due as (
        select p.id, p.expires_at <= p_at as is_over from public.payments as p
        where p.look_at <= p_at
        order by p.look_at
        limit p_rows
        for update skip locked
    )
    update public.payments as p
    set
        looks = p.looks + 1,
        look_at = case
            when due.is_over then p_at + least(interval '1 hour', interval '1 minute' * power(2, least(p.looks, 6)))
            else least(greatest(p.expires_at, p_at + interval '10 seconds'), p_at + interval '1 minute' * power(2, least(p.looks, 4)))
        end
    from due
    where p.id = due.id
    returning p.id, p.provider, p.session_id, due.is_over
$$;

-- A payment to check at once, because the payer waits on the page with its state.
create or replace function public.open_payment_of_session(p_session_id text)
returns table (id uuid, provider text, session_id text, is_over boolean)
language sql stable security definer set search_path = ''
as $$
    select p.id, p.provider, p.session_id, p.expires_at <= now()
    from public.payments as p
    where p.session_id = p_session_id and p.state in ('open', 'failed', 'expired')
$$;

revoke execute on function
    public.count_payment(public.payments), public.day_begins(date),
    public.settle_payment(text, uuid, text, integer, text, text),
    public.record_payment_event(text, text, text, text),
    public.claim_open_payments(timestamptz, integer), public.open_payment_of_session(text)
from public;
grant execute on function
    public.settle_payment(text, uuid, text, integer, text, text),
    public.record_payment_event(text, text, text, text),
    public.claim_open_payments(timestamptz, integer), public.open_payment_of_session(text)
to service_role;
