-- Workers claim lanes, not deliveries: one process at a time visits a receiver, so that a slow
-- receiver or a long queue does not delay the others.
revoke all on public.delivery_lanes from anon, authenticated, service_role;
grant all on public.delivery_lanes to service_role;

drop policy if exists "the service does everything" on public.delivery_lanes;
create policy "the service does everything" on public.delivery_lanes
for all to service_role using (true) with check (true);

-- Claims lanes that are due, the longest due first. Nobody else gets them before the lease ends.
create or replace function public.claim_delivery_lanes(p_at timestamptz, p_lease interval, p_rows integer)
returns table (server_id uuid, channel text, visit bigint)
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select l.server_id, l.channel from public.delivery_lanes as l
        where l.due_at <= p_at
        order by l.due_at
        limit p_rows
        for update skip locked
    )
    update public.delivery_lanes as l
    set due_at = p_at + p_lease, visit = l.visit + 1
    from due
    where l.server_id = due.server_id and l.channel = due.channel
    returning l.server_id, l.channel, l.visit
$$;

-- Ends a visit; returns when the next one is due, if a delivery is pending. No row if another
-- process has claimed the lane since. After failed visits the pause doubles up to a quarter of an
-- hour. `p_outcome` is `ok`, `failed`, or `busy` if nothing was tried.
--
-- The lane is locked before pending deliveries are read, and votes lock it after they have inserted
-- theirs, so that none is missed.
create or replace function public.end_delivery_visit(
    p_server_id uuid, p_channel text, p_visit bigint, p_outcome text, p_at timestamptz
)
returns table (due_at timestamptz, failures integer, failing_since timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
    v_lane public.delivery_lanes;
    -- The time at which the first pending delivery may be tried, and the end of the receiver's
    -- pause.
    v_waits timestamptz;
    v_retry_at timestamptz;
begin
    select * into v_lane from public.delivery_lanes as l
    where l.server_id = p_server_id and l.channel = p_channel and l.visit = p_visit
    for update;
    if not found then
        return;
    end if;
    select min(d.next_attempt_at) into v_waits from public.deliveries as d
    where d.server_id = p_server_id and d.channel = p_channel and d.status = 'pending';
    if p_outcome = 'ok' then
        v_lane.failures := 0;
        v_lane.failing_since := null;
    elsif p_outcome = 'failed' then
        v_lane.failures := v_lane.failures + 1;
        v_lane.failing_since := coalesce(v_lane.failing_since, p_at);
        v_retry_at := p_at + least(interval '5 seconds' * power(2, least(v_lane.failures, 12)), interval '15 minutes');
    else
        v_retry_at := p_at + interval '1 second';
    end if;
    v_lane.due_at := case when v_waits is not null then greatest(v_waits, v_retry_at) end;
    update public.delivery_lanes as l
    set due_at = v_lane.due_at, failures = v_lane.failures, failing_since = v_lane.failing_since
    where l.server_id = p_server_id and l.channel = p_channel;
    return query select v_lane.due_at, v_lane.failures, v_lane.failing_since;
end
$$;

-- Stores the results of attempts: an array of {id, status, attempts, next_attempt_at, fault, error,
-- request, answer_status, answer, is_confirmed}. Only pending deliveries are updated.
create or replace function public.record_deliveries(p_results jsonb, p_at timestamptz) returns void
language sql security definer set search_path = ''
as $$
    -- Rows are locked in the order of their ids, as by voiding votes.
    with held as materialized (
        select d.id from public.deliveries as d
        where d.id in (select (r ->> 'id')::uuid from jsonb_array_elements(p_results) as r)
        order by d.id
        for update
    )
    update public.deliveries as d
    set
        status = r.status,
        attempts = r.attempts,
        next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
        tried_at = p_at,
        delivered_at = case when r.status = 'delivered' then p_at end,
        fault = r.fault,
        last_error = r.error,
        request = r.request,
        answer_status = r.answer_status,
        answer = r.answer,
        is_confirmed = r.is_confirmed
    from jsonb_to_recordset(p_results) as r (
        id uuid, status text, attempts integer, next_attempt_at timestamptz, fault text, error text, request text,
        answer_status integer, answer text, is_confirmed boolean
    )
    where d.id = r.id and d.status = 'pending' and d.id in (select held.id from held)
$$;

-- Fails the pending deliveries of a receiver that is disabled or deleted.
create or replace function public.drop_pending_deliveries(p_server_id uuid, p_channel text) returns void
language sql security definer set search_path = ''
as $$
    update public.deliveries as d
    set status = 'failed', fault = 'switched_off', last_error = null
    where d.server_id = p_server_id and d.channel = p_channel and d.status = 'pending'
$$;

-- Disables a receiver that has failed for too long or has answered that it is gone, and enqueues an
-- email to its owner. Does nothing if it was disabled already.
create or replace function public.disable_receiver(
    p_server_id uuid, p_channel text, p_reason text, p_at timestamptz
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if p_channel = 'webhook' then
        update public.webhooks as w set is_active = false, disabled_at = p_at, disabled_reason = p_reason
        where w.server_id = p_server_id and w.is_active;
    else
        update public.votifier_configs as v set is_active = false, disabled_at = p_at, disabled_reason = p_reason
        where v.server_id = p_server_id and v.is_active;
    end if;
    if found then
        perform public.drop_pending_deliveries(p_server_id, p_channel);
        perform public.enqueue_mail(
            'receiver_off', p_server_id, jsonb_build_object('is_hook', p_channel = 'webhook'), p_at
        );
    end if;
end
$$;

-- Whether a caller with these claims may test the receivers of a listing: its owner or an
-- administrator, after the second factor. The claims stay set until the transaction ends.
create or replace function public.may_try_receivers(p_server_id uuid, p_claims text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    perform set_config('request.jwt.claims', p_claims, true);
    return exists (select from public.servers where id = p_server_id)
        and ((public.owns_server(p_server_id) and public.may_contribute()) or public.is_admin());
end
$$;

-- A receiver that is enabled or changed is due at once, without its failures.
create or replace function public.welcome_receiver() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.is_active then
        new.disabled_at := null;
        new.disabled_reason := null;
        update public.delivery_lanes as l
        set failures = 0, failing_since = null, due_at = case when l.due_at is not null then least(l.due_at, now()) end
        where l.server_id = new.server_id and l.channel = tg_argv[0];
    end if;
    return new;
end
$$;

revoke execute on function
    public.claim_delivery_lanes(timestamptz, interval, integer),
    public.end_delivery_visit(uuid, text, bigint, text, timestamptz),
    public.record_deliveries(jsonb, timestamptz), public.drop_pending_deliveries(uuid, text),
    public.disable_receiver(uuid, text, text, timestamptz), public.may_try_receivers(uuid, text),
    public.welcome_receiver()
from public;
