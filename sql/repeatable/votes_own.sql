-- Queries of players about their own votes.

-- The visible listings for which the caller has voted, with the time of the next possible vote:
-- those that can be voted for now first, then by the latest vote. Found by skipping along the index
-- of an account's servers, five hundred at most, however many votes each has.
create or replace function public.get_my_voted_servers()
returns table (
    id uuid,
    slug text,
    name text,
    logo_image_url text,
    game text,
    nickname_pattern text,
    monthly_votes integer,
    game_rank integer,
    nickname text,
    voted_at timestamptz,
    next_vote_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
    with recursive latest as (
        (
            select v.server_id, v.nickname, v.voted_at from public.votes as v
            where v.user_id = (select auth.uid())
            order by v.server_id, v.voted_at desc
            limit 1
        )
        union all
        select next.* from latest cross join lateral (
            select v.server_id, v.nickname, v.voted_at from public.votes as v
            where v.user_id = (select auth.uid()) and v.server_id > latest.server_id
            order by v.server_id, v.voted_at desc
            limit 1
        ) as next
    )
    select
        s.id, s.slug, s.name, s.logo_image_url, g.name, g.nickname_pattern, t.monthly_votes,
        public.rank_at(t.game_id, t.monthly_votes), mine.nickname, mine.voted_at,
        mine.voted_at + public.vote_cooldown()
    from (select * from latest limit 500) as mine
    inner join public.server_standings as t on t.server_id = mine.server_id and t.is_listed
    inner join public.servers as s on s.id = mine.server_id
    inner join public.games as g on g.id = t.game_id
    order by mine.voted_at + public.vote_cooldown() > now(), mine.voted_at desc
$$;

revoke execute on function public.get_my_voted_servers() from public;
grant execute on function public.get_my_voted_servers() to authenticated, service_role;
