-- The leaderboard of voters, and the caller's place in it.

create or replace function public.start_of_period(p_period text) returns date
language plpgsql stable
as $$
declare
    v_start date := case p_period
        when 'day' then public.site_today()
        when 'week' then public.week_of(public.site_today())
        when 'month' then public.month_of(public.site_today())
    end;
begin
    if v_start is null then
        raise exception 'The period is day, week or month' using errcode = '22023';
    end if;
    return v_start;
end
$$;

-- The voters with the most votes today, this week or this month. Guests appear with the nickname
-- they typed.
create or replace function public.get_leaderboard(p_period text default 'month', p_limit integer default 50)
returns table (
    rank integer, voter_name text, votes_count integer, is_guest boolean, role text, is_me boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_start date := public.start_of_period(p_period);
    v_limit integer := least(greatest(coalesce(p_limit, 50), 1), 100);
begin
    return query
    select
        (row_number() over (order by t.votes desc, t.last_vote_at, t.voter_key))::integer,
        coalesce(p.username, t.nickname),
        t.votes,
        t.user_id is null,
        nullif(p.role, 'user'),
        coalesce(t.user_id = auth.uid(), false)
    from (
        select first.* from public.voter_totals as first
        where first.period = p_period and first.period_start = v_start
        order by first.votes desc, first.last_vote_at, first.voter_key
        limit v_limit
    ) as t
    left join public.profiles as p on p.id = t.user_id
    order by t.votes desc, t.last_vote_at, t.voter_key;
end
$$;

-- The caller's place in the leaderboard, and the voter right before them; no row if they have not
-- voted. Voters before them are counted by the index, up to ten thousand; past that the place is
-- null.
create or replace function public.get_my_place(p_period text default 'month')
returns table (rank integer, voter_name text, votes_count integer, next_name text, next_votes integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
    c_farthest constant integer := 10000;
    v_start date := public.start_of_period(p_period);
    v_own_total public.voter_totals;
    v_ahead integer;
begin
    select * into v_own_total from public.voter_totals as t
    where t.period = p_period and t.period_start = v_start and t.voter_key = 'user:' || auth.uid()::text;
    if not found then
        return;
    end if;
    select count(*) into v_ahead
    from (
        (
            select from public.voter_totals as t
            where t.period = p_period and t.period_start = v_start and t.votes > v_own_total.votes
            limit c_farthest
        )
        union all
        (
            select from public.voter_totals as t
            where
                t.period = p_period and t.period_start = v_start and t.votes = v_own_total.votes
                and t.last_vote_at <= v_own_total.last_vote_at
                and (t.last_vote_at < v_own_total.last_vote_at or t.voter_key < v_own_total.voter_key)
            limit c_farthest
        )
    ) as ahead;
    return query
    select
        case when v_ahead < c_farthest then v_ahead + 1 end,
        me.username,
        v_own_total.votes,
        coalesce(p.username, before.nickname),
        before.votes
    from public.profiles as me
    left join lateral (
        (
            select t.user_id, t.nickname, t.votes from public.voter_totals as t
            where
                t.period = p_period and t.period_start = v_start and t.votes = v_own_total.votes
                and t.last_vote_at <= v_own_total.last_vote_at
                and (t.last_vote_at < v_own_total.last_vote_at or t.voter_key < v_own_total.voter_key)
            order by t.last_vote_at desc, t.voter_key desc
            limit 1
        )
        union all
        (
            select t.user_id, t.nickname, t.votes from public.voter_totals as t
            where t.period = p_period and t.period_start = v_start and t.votes > v_own_total.votes
            order by t.votes, t.last_vote_at desc, t.voter_key desc
            limit 1
        )
        limit 1
    ) as before on true
    left join public.profiles as p on p.id = before.user_id
    where me.id = v_own_total.user_id;
end
$$;

revoke execute on function
    public.start_of_period(text), public.get_leaderboard(text, integer), public.get_my_place(text)
from public;
grant execute on function public.get_leaderboard(text, integer) to anon, authenticated, service_role;
grant execute on function public.get_my_place(text) to authenticated, service_role;
