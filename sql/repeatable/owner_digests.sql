-- Only procedures read and write this table.
revoke all on public.owner_digests from anon, authenticated, service_role;
grant all on public.owner_digests to service_role;

drop policy if exists "the service does everything" on public.owner_digests;
create policy "the service does everything" on public.owner_digests
for all to service_role using (true) with check (true);

-- Whether weekly emails are sent at this time: on Mondays from 6:00 UTC, when the day has ended and
-- been closed in every time zone of a site, and on Tuesdays. A process that starts later skips the
-- week.
create or replace function public.is_digest_time(p_at timestamptz) returns boolean
language sql immutable set search_path = ''
as $$
    select case extract(isodow from p_at at time zone 'UTC')
        when 1 then extract(hour from p_at at time zone 'UTC') >= 6
        when 2 then true
        else false
    end
$$;

-- Enqueues the weekly email of the next `p_rows` owners by id; returns how many. The owners are
-- marked in the same transaction, so each week is sent once. The email carries its figures, so a
-- retry sends the same ones. An owner without a listing in that week gets none. Of many listings
-- the email has the twenty with the most votes.
create or replace function public.enqueue_digests(p_at timestamptz, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_week date := public.week_of(public.site_day(p_at));
    v_week_start timestamptz := (v_week - 7)::timestamp at time zone public.setting_text('site_timezone', 'Europe/Paris');
    v_owner record;
    v_enqueued integer := 0;
begin
    if not public.is_digest_time(p_at) then
        return 0;
    end if;
    for v_owner in
    with due as materialized (
        select s.owner_id as id
        from public.servers as s
        inner join public.profiles as p on p.id = s.owner_id
        inner join auth.users as u on u.id = s.owner_id
        left join public.owner_digests as d on d.user_id = s.owner_id
        where
            s.is_approved and not s.is_hidden and s.created_at < v_week_start
            and p.weekly_mail and not p.is_banned
            and u.email is not null and u.email_confirmed_at is not null
            and coalesce(d.week, '-infinity') < v_week
        group by s.owner_id
        order by s.owner_id
        limit p_rows
    ),
    told as materialized (
        select
            owners.id,
            jsonb_agg(
                jsonb_build_object(
                    'id', shown.id,
                    'name', public.plain_text(shown.name),
                    'slug', shown.slug,
                    'place', shown.place,
                    'before', (d.places ->> shown.id::text)::integer,
                    'votes', counted.votes,
                    'clicks', counted.clicks,
                    'votes_before', counted.votes_before,
                    'reviews', (
                        select count(*) from public.reviews as r
                        where
                            r.server_id = shown.id and not r.is_hidden
                            and r.created_at >= v_week_start and r.created_at < v_week_start + interval '7 days'
                    )
                )
                order by counted.votes desc, shown.name
            ) as servers,
            jsonb_object_agg(shown.id, shown.place) filter (where shown.place is not null) as places
        from due as owners
        left join public.owner_digests as d on d.user_id = owners.id
        cross join lateral (
            select
                s.id,
                s.name,
                s.slug,
                case when t.monthly_votes > 0 then public.rank_at(t.game_id, t.monthly_votes) end as place
            from public.servers as s
            inner join public.server_standings as t on t.server_id = s.id
            where s.owner_id = owners.id and t.is_listed
            order by t.monthly_votes desc, s.id
            limit 20
        ) as shown
        cross join lateral (
            select
                coalesce(sum(c.votes) filter (where c.day >= v_week - 7), 0) as votes,
                coalesce(sum(c.clicks) filter (where c.day >= v_week - 7), 0) as clicks,
                coalesce(sum(c.votes) filter (where c.day < v_week - 7), 0) as votes_before
            from public.server_daily_counts as c
            where c.server_id = shown.id and c.day >= v_week - 14 and c.day < v_week
        ) as counted
        group by owners.id
    ),
    marked as (
        insert into public.owner_digests as existing (user_id, week, places)
        select told.id, v_week, coalesce(told.places, '{}') from told
        on conflict (user_id) do update set week = excluded.week, places = excluded.places
        where existing.week < excluded.week
        returning existing.user_id
    )
    select told.id, told.servers from marked inner join told on told.id = marked.user_id order by told.id
    loop
        perform public.enqueue_mail('weekly', v_owner.id, jsonb_build_object('servers', v_owner.servers), p_at);
        v_enqueued := v_enqueued + 1;
    end loop;
    return v_enqueued;
end
$$;

-- Turns the weekly email of an account off or on; returns whether the account exists.
create or replace function public.set_weekly_mail(p_user_id uuid, p_wanted boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    update public.profiles set weekly_mail = p_wanted where id = p_user_id;
    return found;
end
$$;

revoke execute on function
    public.is_digest_time(timestamptz), public.enqueue_digests(timestamptz, integer),
    public.set_weekly_mail(uuid, boolean)
from public;
grant execute on function
    public.enqueue_digests(timestamptz, integer), public.set_weekly_mail(uuid, boolean)
to service_role;
