-- The visible listings, as lists read them: the standing, by which lists filter and sort, and the
-- other columns, which are read for the rows on a page only. Runs with its owner's rights. It is
-- not a security barrier, so that conditions of a request reach the indexes: the rows it leaves out
-- have nothing secret, and the token is in another table.
drop view if exists public.servers_public;
create view public.servers_public as
select
    t.server_id as id,
    s.slug,
    s.name,
    s.search_name,
    s.description,
    t.language,
    s.ip_address,
    s.version,
    t.game_id,
    t.tags,
    s.logo_image_url,
    s.banner_image_url,
    s.description_image_url,
    s.backdrop_url,
    s.video_url,
    s.discord_url,
    s.website_url,
    s.owner_id,
    s.open_vote_api,
    s.is_sponsored and s.shows_prestige as is_sponsored,
    s.sponsor_tier,
    s.custom_color,
    s.prestige_expires_at,
    t.is_prestige,
    t.promoted_order,
    s.is_prestige_bonus,
    true as is_approved,
    false as is_hidden,
    t.is_online,
    t.online_players,
    t.max_players,
    t.status_checked_at,
    t.total_votes,
    t.monthly_votes,
    t.weekly_votes,
    t.daily_votes,
    t.clicks,
    s.review_count,
    case when s.review_count > 0 then round(s.rating_sum::numeric / s.review_count, 1) end as rating_average,
    -- The same as rank_at, which costs more for each row.
    coalesce(
        (
            select step.rank from public.rank_steps as step
            where step.game_id = '00000000-0000-0000-0000-000000000000' and step.votes <= t.monthly_votes
            order by step.votes desc
            limit 1
        ),
        1
    ) as rank,
    coalesce(
        (
            select step.rank from public.rank_steps as step
            where step.game_id = t.game_id and step.votes <= t.monthly_votes
            order by step.votes desc
            limit 1
        ),
        1
    ) as game_rank,
    t.created_at,
    s.updated_at,
    t.game_slug,
    t.day_rank,
    t.day_game_rank,
    t.rise,
    t.game_rise
from public.server_standings as t
left join public.servers as s on s.id = t.server_id
where t.is_listed;

revoke all on public.servers_public from anon, authenticated, service_role;
grant select on public.servers_public to anon, authenticated, service_role;

create trigger servers_public_read_only instead of insert or update or delete on public.servers_public
for each row execute function public.refuse_writing();

comment on view public.servers_public is 'Approved and visible listings, without anything secret.';
