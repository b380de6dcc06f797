-- Daily figures of the whole site, for administrators. A job computes them from daily counters and
-- from tables with an index by time, never from votes.
revoke all on public.site_figures from anon, authenticated, service_role;
grant select on public.site_figures to authenticated;
grant all on public.site_figures to service_role;

drop policy if exists "administrators see the figures of the site" on public.site_figures;
create policy "administrators see the figures of the site" on public.site_figures
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.site_figures;
create policy "the service does everything" on public.site_figures
for all to service_role using (true) with check (true);

-- Counts one day and replaces its earlier figures.
create or replace function public.count_site_day(p_day date, p_at timestamptz) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_begins timestamptz := public.day_begins(p_day);
    v_ends timestamptz := public.day_begins(p_day + 1);
begin
    delete from public.site_figures where day = p_day;
    insert into public.site_figures (day, figure, part, amount, counted_at)
    select p_day, counted.figure, counted.part, counted.amount, p_at
    from (
        -- Every counted day has this row, even with zero votes.
        select 'votes' as figure, '' as part, coalesce(sum(c.votes), 0)::bigint as amount
        from public.server_daily_counts as c
        where c.day = p_day
        union all
        select r.kind, r.code, sum(o.votes)
        from public.vote_outcomes as o
        inner join public.vote_reasons as r on r.code = o.reason
        where o.day = p_day
        group by r.kind, r.code
        union all
        select 'accounts', '', count(*) from public.profiles as p
        where p.created_at >= v_begins and p.created_at < v_ends
        union all
        select 'servers', '', count(*) from public.servers as s
        where s.created_at >= v_begins and s.created_at < v_ends
        union all
        select case d.status when 'delivered' then 'delivered' else 'undelivered' end, d.channel, count(*)
        from public.deliveries as d
        where d.created_at >= v_begins and d.created_at < v_ends and d.status <> 'pending'
        group by 1, 2
        union all
        select 'purchases', '', count(*) from public.payment_receipts as r
        where r.kind = 'receipt' and r.issued_at >= v_begins and r.issued_at < v_ends
        union all
        select case r.kind when 'receipt' then 'taken' else 'returned' end, '', sum(r.amount_cents)
        from public.payment_receipts as r
        where r.issued_at >= v_begins and r.issued_at < v_ends
        group by r.kind
    ) as counted
    where counted.amount > 0 or counted.figure = 'votes';
end
$$;

-- Counts today, and each hour the three days before, whose deliveries may still arrive. After that
-- a day's figures are final, whatever is deleted. Also counts days that were missed, at most
-- `p_days` days a call, the latest first; returns how many. Does nothing while another process
-- counts.
create or replace function public.keep_site_figures(p_at timestamptz, p_days integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_today date := public.site_day(p_at);
    v_first date := least(
        (select min(c.day) from public.server_daily_counts as c),
        (select public.site_day(min(p.created_at)) from public.profiles as p),
        (select public.site_day(min(s.created_at)) from public.servers as s),
        v_today
    );
    v_day date;
    v_counted integer := 0;
begin
    if not pg_try_advisory_xact_lock(hashtextextended('public.keep_site_figures', 0)) then
        return 0;
    end if;
    for v_day in
        select days.day::date
        from generate_series(v_first::timestamp, v_today::timestamp, interval '1 day') as days (day)
        left join public.site_figures as existing
            on existing.day = days.day::date and existing.figure = 'votes' and existing.part = ''
        where
            existing.day is null
            or (existing.day = v_today and existing.counted_at < p_at)
            -- The last count of a day is after the third day that follows it.
            or (
                existing.counted_at <= p_at - interval '1 hour'
                and public.site_day(existing.counted_at) <= existing.day + 3
            )
        order by days.day desc
        limit p_days
    loop
        perform public.count_site_day(v_day, p_at);
        v_counted := v_counted + 1;
    end loop;
    return v_counted;
end
$$;

-- Moves voided votes from the accepted ones to the voided ones, in stored figures of their days.
create or replace function public.uncount_for_site(p_votes public.votes[], p_reason text) returns void
language plpgsql
as $$
begin
    perform from public.site_figures
    where day in (select public.site_day(v.voted_at) from unnest(p_votes) as v) and figure in ('votes', 'voided')
    order by day, figure, part
    for no key update;
    with taken as materialized (
        select public.site_day(v.voted_at) as day, count(*) as votes from unnest(p_votes) as v group by 1
    ),
    lowered as (
        update public.site_figures as f
        set amount = greatest(f.amount - t.votes, 0)
        from taken as t
        where f.day = t.day and f.figure = 'votes' and f.part = ''
        returning f.day, t.votes, f.counted_at
    )
    insert into public.site_figures as existing (day, figure, part, amount, counted_at)
    select l.day, 'voided', p_reason, l.votes, l.counted_at from lowered as l
    order by l.day
    on conflict (day, figure, part) do update set amount = existing.amount + excluded.amount;
end
$$;

-- The figures of a range of days, each as an array of days with zeros for missing ones. Without
-- `p_from` the range begins with the first stored day; it has 1,100 days at most.
create or replace function public.get_site_figures(p_from date default null, p_until date default null)
returns table (figure text, part text, total bigint, first_day date, amounts bigint[], counted_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
    v_until date := coalesce(p_until, public.site_today());
    v_from date := greatest(coalesce(p_from, (select min(f.day) from public.site_figures as f)), v_until - 1099);
begin
    perform public.require_admin();
    if v_from > v_until then
        raise exception 'The first day is after the last' using errcode = '22023';
    end if;
    return query
    with existing as materialized (
        select f.* from public.site_figures as f where f.day between v_from and v_until
    ),
    kinds as (
        select k.figure, k.part, sum(k.amount)::bigint as total from existing as k group by k.figure, k.part
    )
    select
        n.figure,
        n.part,
        n.total,
        v_from,
        array(
            select coalesce(k.amount, 0)
            from generate_series(v_from::timestamp, v_until::timestamp, interval '1 day') as days (day)
            left join existing as k on k.day = days.day::date and k.figure = n.figure and k.part = n.part
            order by days.day
        ),
        (select max(k.counted_at) from existing as k)
    from kinds as n
    order by n.figure, n.total desc, n.part;
end
$$;

revoke execute on function
    public.count_site_day(date, timestamptz), public.keep_site_figures(timestamptz, integer),
    public.uncount_for_site(public.votes[], text), public.get_site_figures(date, date)
from public;
grant execute on function public.keep_site_figures(timestamptz, integer) to service_role;
grant execute on function public.get_site_figures(date, date) to authenticated, service_role;
