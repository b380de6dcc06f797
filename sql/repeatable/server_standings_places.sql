-- Changes of rank since the day began.
--
-- The rank of a listing at the start of a day is stored once, when the day before is closed. A job
-- stores how far listings have climbed since. Cards show the difference between the stored rank and
-- the current one, as computed by the view; the order of rising listings uses the job's value.

-- The value of a climb: the logarithm of the ratio of the ranks. So climbing from 20 to 10 counts
-- as much as from 200 to 100, and a first vote among many listings without votes counts little.
-- Rounded to hundredths, so that small changes of other listings update no rows.
create or replace function public.rise_between(p_before integer, p_now integer) returns real
language sql immutable parallel safe
as $$
    select case when p_before > p_now then round(ln(p_before::numeric / p_now), 2)::real else 0 end
$$;

-- Stores the ranks at the start of the day for the next `p_rows` listings by id; returns the last
-- id, or null if there were none. A stored row stays as it is for the day.
create or replace function public.record_places(p_at timestamptz, p_after uuid, p_rows integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_day date := public.site_day(p_at);
    v_month date := public.month_of(v_day);
    v_last uuid;
begin
    select page.server_id into v_last
    from (
        select server_id from public.server_standings where server_id > p_after order by server_id limit p_rows
    ) as page
    order by page.server_id desc
    limit 1;
    with begun as materialized (
        select
            t.server_id,
            t.game_id,
            -- Today's votes were cast after the day began.
            case when t.month = v_month then t.monthly_votes else 0 end
            - case when t.day = v_day then t.daily_votes else 0 end as votes
        from public.server_standings as t
        where t.server_id > p_after and t.server_id <= v_last and t.place_day < v_day
        order by t.server_id
        for no key update
    )
    update public.server_standings as t
    set
        place_day = v_day,
        day_rank = case when b.votes > 0 then public.rank_at(public.all_games(), b.votes) end,
        day_game_rank = case when b.votes > 0 then public.rank_at(b.game_id, b.votes) end,
        rise = 0,
        game_rise = 0
    from begun as b
    where b.server_id = t.server_id and (b.votes > 0 or t.day_rank is not null);
    return v_last;
end
$$;

-- Stores how far listings have climbed, for the next `p_rows` by id; returns the last id, or null
-- if there were none. Skips rows that another transaction has locked.
create or replace function public.refresh_rises(p_after uuid, p_rows integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_last uuid;
begin
    select page.server_id into v_last
    from (
        select server_id from public.server_standings where server_id > p_after order by server_id limit p_rows
    ) as page
    order by page.server_id desc
    limit 1;
    with climbed as materialized (
        select
            t.server_id,
            coalesce(
                public.rise_between(t.day_rank, public.rank_at(public.all_games(), t.monthly_votes)), 0
            ) as rise,
            coalesce(
                public.rise_between(t.day_game_rank, public.rank_at(t.game_id, t.monthly_votes)), 0
            ) as game_rise
        from public.server_standings as t
        where
            t.server_id > p_after and t.server_id <= v_last
            -- A listing without a vote today does not climb.
            and (t.rise > 0 or t.game_rise > 0 or (t.day = t.place_day and t.daily_votes > 0 and t.day_rank is not null))
    ),
    changed as materialized (
        select c.server_id, c.rise, c.game_rise
        from climbed as c
        inner join public.server_standings as t on t.server_id = c.server_id
        where (t.rise, t.game_rise) is distinct from (c.rise, c.game_rise)
        order by c.server_id
        for no key update of t skip locked
    )
    update public.server_standings as t
    set rise = c.rise, game_rise = c.game_rise
    from changed as c
    where c.server_id = t.server_id;
    return v_last;
end
$$;

revoke execute on function
    public.rise_between(integer, integer), public.record_places(timestamptz, uuid, integer),
    public.refresh_rises(uuid, integer)
from public;
grant execute on function
    public.record_places(timestamptz, uuid, integer), public.refresh_rises(uuid, integer)
to service_role;
