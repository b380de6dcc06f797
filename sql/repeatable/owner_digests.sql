-- Reached by procedures alone.
revoke all on public.owner_digests from anon, authenticated, service_role;
grant all on public.owner_digests to service_role;

drop policy if exists "the service does everything" on public.owner_digests;
create policy "the service does everything" on public.owner_digests
for all to service_role using (true) with check (true);

-- What the next owners by id are to be told of the week that has ended, so many at once. They are
-- marked in the same transaction, so that each week is told once; nobody is told of a week in which
-- they had no listing yet. Of many listings the first twenty by votes.
create or replace function public.take_digests(p_at timestamptz, p_rows integer)
returns table (
    owner_id uuid,
    email text,
    language text,
    site_name text,
    servers jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
    v_week date := public.week_of(public.site_day(p_at));
    v_begun timestamptz := (v_week - 7)::timestamp at time zone public.setting_text('site_timezone', 'Europe/Paris');
begin
    return query
    with due as materialized (
        select s.owner_id as id
        from public.servers as s
        inner join public.profiles as p on p.id = s.owner_id
        inner join auth.users as u on u.id = s.owner_id
        left join public.owner_digests as d on d.user_id = s.owner_id
        where
            s.is_approved and not s.is_hidden and s.created_at < v_begun
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
                            and r.created_at >= v_begun and r.created_at < v_begun + interval '7 days'
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
        insert into public.owner_digests as kept (user_id, week, places)
        select told.id, v_week, coalesce(told.places, '{}') from told
        on conflict (user_id) do update set week = excluded.week, places = excluded.places
        where kept.week < excluded.week
        returning kept.user_id
    )
    select
        told.id,
        u.email::text,
        coalesce(p.language, 'fr'),
        public.setting_text('site_name', 'Palmarès'),
        told.servers
    from marked
    inner join told on told.id = marked.user_id
    inner join auth.users as u on u.id = told.id
    inner join public.profiles as p on p.id = told.id
    order by told.id;
end
$$;

-- Ends the weekly mail of an account, or begins it again; whether there is such an account.
create or replace function public.set_weekly_mail(p_user_id uuid, p_wanted boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    update public.profiles set weekly_mail = p_wanted where id = p_user_id;
    return found;
end
$$;

revoke execute on function public.take_digests(timestamptz, integer), public.set_weekly_mail(uuid, boolean) from public;
grant execute on function public.take_digests(timestamptz, integer), public.set_weekly_mail(uuid, boolean) to service_role;
