-- The overview of the administration: pending work, failures and unusual figures of today. Nothing
-- is computed from votes: stored daily figures are read, and the rest by indexes of open rows.

-- The number of items that wait for a person, by kind, with the age of the oldest.
create or replace function public.list_waiting_work() returns table (what text, amount bigint, since timestamptz)
language sql stable
as $$
    select c.kind, count(*), min(c.opened_at)
    from public.moderation_cases as c
    where c.decision is null
    group by c.kind
    union all
    select 'proposal', count(*), min(p.created_at)
    from public.tag_proposals as p
    where p.status = 'pending'
    having count(*) > 0
    union all
    -- The same condition as in payment_ledger.
    select 'payment', count(*), min(p.created_at)
    from public.payments as p
    where
        (p.state = 'to_refund' and p.problem is not null)
        or (p.state in ('paid', 'to_refund') and p.refund_failed_at is not null)
        or (p.state <> 'refunded' and p.disputed_at is not null)
    having count(*) > 0
$$;

-- Figures of a day that are already twice the usual figure of a whole day, which is the median of
-- the two weeks before, of the days that were counted. With fewer than seven counted days there is
-- none. Small figures are never unusual.
create or replace function public.odd_figures(p_day date)
returns table (what text, part text, amount bigint, usual bigint)
language sql stable
as $$
    with days as materialized (
        select f.day from public.site_figures as f
        where f.day between p_day - 14 and p_day - 1 and f.figure = 'votes' and f.part = ''
    ),
    bounds (figure, least_odd) as (
        values ('votes', 200), ('refused', 20), ('accounts', 10), ('servers', 10), ('undelivered', 10), ('reports', 10)
    ),
    told as (
        select f.figure, f.part, f.amount, (
            select percentile_disc(0.5) within group (order by coalesce(k.amount, 0))
            from days as d
            left join public.site_figures as k on k.day = d.day and k.figure = f.figure and k.part = f.part
        ) as usual
        from public.site_figures as f
        where f.day = p_day
        union all
        select 'reports', '', c.amounts[1], (
            select percentile_disc(0.5) within group (order by a) from unnest(c.amounts[2:]) as a
        )
        from (
            select array(
                select (
                    select count(*) from public.reports as r
                    where
                        r.created_at >= public.day_begins(p_day - back)
                        and r.created_at < public.day_begins(p_day - back + 1)
                )
                from generate_series(0, 14) as back
                order by back
            ) as amounts
        ) as c
    )
    select t.figure, t.part, t.amount, t.usual
    from told as t
    inner join bounds as b on b.figure = t.figure
    where t.amount >= b.least_odd and t.amount >= 2 * t.usual and (select count(*) from days) >= 7
    order by t.amount::numeric / greatest(t.usual, 1) desc
$$;

-- Listings with three times their usual votes of a day in the two weeks before; five at most, the
-- largest ratio first.
create or replace function public.odd_servers(p_day date)
returns table (server_id uuid, amount bigint, usual bigint)
language sql stable
as $$
    select c.server_id, c.votes::bigint, u.usual
    from public.server_daily_counts as c
    cross join lateral (
        select round(coalesce(sum(k.votes), 0) / 14.0)::bigint as usual
        from public.server_daily_counts as k
        where k.server_id = c.server_id and k.day between p_day - 14 and p_day - 1
    ) as u
    where c.day = p_day and c.votes >= 50 and c.votes >= 3 * u.usual
    order by c.votes - u.usual desc, c.server_id
    limit 5
$$;

-- Failures: receivers of votes that have failed for an hour, emails that are not sent, late jobs,
-- and missing legal information.
create or replace function public.list_failures(p_at timestamptz)
returns table (what text, amount bigint, since timestamptz, server_id uuid)
language sql stable
as $$
    (
        select 'receiver', l.failures::bigint, l.failing_since, l.server_id
        from public.delivery_lanes as l
        where l.failing_since < p_at - interval '1 hour' and l.due_at is not null
        order by l.failing_since, l.server_id
        limit 5
    )
    union all
    select 'mails', count(*), min(m.put_at), null
    from public.mail_queue as m
    where m.given_up_at is null and m.due_at < p_at - interval '15 minutes'
    having count(*) > 0
    union all
    select 'lost', count(*), min(m.given_up_at), null
    from public.mail_queue as m
    where m.given_up_at > p_at - interval '1 day'
    having count(*) > 0
    union all
    -- Figures are counted every five minutes.
    select 'figures', 0, k.counted_at, null
    from (
        select max(f.counted_at) as counted_at from public.site_figures as f where f.day >= public.site_day(p_at) - 1
    ) as k
    where coalesce(k.counted_at < p_at - interval '30 minutes', true)
    union all
    select 'days', 0, public.day_begins(c.day + 1), null
    from public.vote_clock as c
    where c.day < public.site_day(p_at - interval '15 minutes')
    union all
    select 'particulars', count(*), null, null
    from unnest(array[
        'seller_name', 'seller_address', 'seller_tax_id', 'publication_director', 'host_particulars',
        'consumer_mediator', 'contact_email'
    ]) as keys (name)
    where public.setting_text(keys.name, '') = ''
    having count(*) > 0
    union all
    select 'registration', 0, s.updated_at, null
    from public.site_settings as s
    where s.setting_key = 'registration_open' and not public.setting_boolean(s.setting_key, true)
$$;

create or replace function public.get_admin_overview()
returns table (
    section text, what text, part text, amount bigint, usual bigint, since timestamptz, server_id uuid,
    server_slug text, server_name text
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_today constant date := public.site_today();
begin
    perform public.require_admin();
    return query
    select t.section, t.what, t.part, t.amount, t.usual, t.since, s.id, s.slug, public.plain_text(s.name)
    from (
        select 1 as place, 'waits' as section, w.what, '' as part, w.amount, null::bigint as usual, w.since, null::uuid as id
        from public.list_waiting_work() as w
        union all
        select 2, 'fails', f.what, '', f.amount, null, f.since, f.server_id from public.list_failures(now()) as f
        union all
        select 3, 'odd', o.what, o.part, o.amount, o.usual, null, null from public.odd_figures(v_today) as o
        union all
        select 4, 'odd', 'server', '', o.amount, o.usual, null, o.server_id from public.odd_servers(v_today) as o
    ) as t
    left join public.servers as s on s.id = t.id
    order by t.place, t.since, t.amount desc;
end
$$;

revoke execute on function
    public.list_waiting_work(), public.odd_figures(date), public.odd_servers(date), public.list_failures(timestamptz),
    public.get_admin_overview()
from public;
grant execute on function public.get_admin_overview() to authenticated;
