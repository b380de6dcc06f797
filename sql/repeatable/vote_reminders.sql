-- Only procedures read and write this table.
revoke all on public.vote_reminders from anon, authenticated, service_role;
grant all on public.vote_reminders to service_role;

drop policy if exists "the service does everything" on public.vote_reminders;
create policy "the service does everything" on public.vote_reminders
for all to service_role using (true) with check (true);

-- Requests a reminder after the caller's last vote; returns when it is due, or null if the listing
-- is not visible or there is no cooldown. An endpoint has at most 50 reminders; the earliest are
-- dropped.
create or replace function public.request_vote_reminder(
    p_endpoint text,
    p_p256dh bytea,
    p_auth bytea,
    p_language text,
    p_user_id uuid,
    p_server_id uuid,
    p_ip_hash text,
    p_at timestamptz
) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
    v_cooldown interval := public.vote_cooldown();
    v_due_at timestamptz;
    v_id uuid;
begin
    select max(given.voted_at) + v_cooldown into v_due_at
    from (
        (
            select v.voted_at from public.votes as v
            where v.server_id = p_server_id and v.ip_hash = p_ip_hash and v.voted_at > p_at - v_cooldown
            order by v.voted_at desc
            limit 1
        )
        union all
        (
            select v.voted_at from public.votes as v
            where v.user_id = p_user_id and v.server_id = p_server_id and v.voted_at > p_at - v_cooldown
            order by v.voted_at desc
            limit 1
        )
    ) as given
    where exists (select from public.servers as s where s.id = p_server_id and s.is_approved and not s.is_hidden);
    if v_due_at is null then
        return null;
    end if;
    insert into public.push_subscriptions as existing (user_id, endpoint, p256dh, auth, language, created_at, asked_at)
    values (p_user_id, p_endpoint, p_p256dh, p_auth, p_language, p_at, p_at)
    on conflict (endpoint) do update set
        user_id = excluded.user_id,
        p256dh = excluded.p256dh,
        auth = excluded.auth,
        language = excluded.language,
        asked_at = excluded.asked_at
    returning existing.id into v_id;
    insert into public.vote_reminders as existing (subscription_id, server_id, due_at)
    values (v_id, p_server_id, v_due_at)
    on conflict (subscription_id, server_id) do update set due_at = excluded.due_at, attempts = 0;
    delete from public.vote_reminders as r
    using (
        select server_id from public.vote_reminders where subscription_id = v_id
        order by due_at desc, server_id
        offset 50
    ) as beyond
    where r.subscription_id = v_id and r.server_id = beyond.server_id;
    return v_due_at;
end
$$;

-- Deletes an endpoint's subscription, or only its reminder of one listing; returns how many
-- reminders were deleted.
create or replace function public.cancel_reminders(p_endpoint text, p_server_id uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_deleted integer;
begin
    with gone as (
        delete from public.vote_reminders as r
        using public.push_subscriptions as p
        where
            p.endpoint = p_endpoint and r.subscription_id = p.id
            and (p_server_id is null or r.server_id = p_server_id)
        returning 1
    )
    select count(*) into v_deleted from gone;
    if p_server_id is null then
        delete from public.push_subscriptions where endpoint = p_endpoint;
    end if;
    return v_deleted;
end
$$;

-- Claims due reminders; nobody else gets them before their lease ends. Reminders of hidden listings
-- are deleted.
create or replace function public.claim_due_reminders(p_at timestamptz, p_lease interval, p_rows integer)
returns table (
    subscription_id uuid,
    server_id uuid,
    endpoint text,
    p256dh bytea,
    auth bytea,
    language text,
    server_name text,
    server_slug text,
    attempts integer
)
language plpgsql security definer set search_path = ''
as $$
begin
    -- One process at a time: two could each claim a part of one browser's reminders.
    if not pg_try_advisory_xact_lock(hashtextextended('public.vote_reminders.due', 0)) then
        return;
    end if;
    delete from public.vote_reminders as r
    where
        (r.subscription_id, r.server_id) in (
            select due.subscription_id, due.server_id
            from public.vote_reminders as due
            inner join public.servers as s on s.id = due.server_id
            where due.due_at <= p_at and (s.is_hidden or not s.is_approved)
            order by due.due_at
            limit p_rows
        );
    return query
    -- All due reminders of a browser are claimed together, so that it gets one message.
    with browsers as materialized (
        select distinct first.subscription_id
        from (
            select r.subscription_id from public.vote_reminders as r
            where r.due_at <= p_at
            order by r.due_at
            limit p_rows
        ) as first
    ),
    due as materialized (
        select r.subscription_id, r.server_id
        from public.vote_reminders as r
        inner join browsers on browsers.subscription_id = r.subscription_id
        where r.due_at <= p_at
        for update of r skip locked
    ),
    taken as (
        update public.vote_reminders as r
        set due_at = p_at + p_lease * power(2, r.attempts), attempts = r.attempts + 1
        from due
        where r.subscription_id = due.subscription_id and r.server_id = due.server_id
        returning r.subscription_id, r.server_id, r.attempts
    )
    select
        t.subscription_id, t.server_id, p.endpoint, p.p256dh, p.auth, p.language, public.plain_text(s.name), s.slug,
        t.attempts
    from taken as t
    inner join public.push_subscriptions as p on p.id = t.subscription_id
    inner join public.servers as s on s.id = t.server_id;
end
$$;

-- Deletes reminders that were sent or given up. A reminder that was requested again since stays.
create or replace function public.remove_reminders(
    p_subscription_id uuid, p_server_ids uuid[]
) returns void
language sql security definer set search_path = ''
as $$
    delete from public.vote_reminders
    where subscription_id = p_subscription_id and server_id = any(p_server_ids) and attempts > 0
$$;

-- Deletes a subscription that the push service no longer knows.
create or replace function public.drop_subscription(p_id uuid) returns void
language sql security definer set search_path = ''
as $$
    delete from public.push_subscriptions where id = p_id
$$;

-- Deletes subscriptions that were last used before `p_before`, at most `p_rows`; returns how many.
create or replace function public.prune_subscriptions(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select id from public.push_subscriptions
        where asked_at < p_before
        order by asked_at
        limit p_rows
        for update skip locked
    ),
    thinned as (
        delete from public.push_subscriptions as p using due where p.id = due.id returning 1
    )
    select count(*)::integer from thinned
$$;

revoke execute on function
    public.request_vote_reminder(text, bytea, bytea, text, uuid, uuid, text, timestamptz),
    public.cancel_reminders(text, uuid), public.claim_due_reminders(timestamptz, interval, integer),
    public.remove_reminders(uuid, uuid[]), public.drop_subscription(uuid),
    public.prune_subscriptions(timestamptz, integer)
from public;
grant execute on function
    public.request_vote_reminder(text, bytea, bytea, text, uuid, uuid, text, timestamptz),
    public.cancel_reminders(text, uuid), public.claim_due_reminders(timestamptz, interval, integer),
    public.remove_reminders(uuid, uuid[]), public.drop_subscription(uuid),
    public.prune_subscriptions(timestamptz, integer)
to service_role;
