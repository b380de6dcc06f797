-- The listings everyone may see, as lists read them. Runs with its owner's rights; it is not a
-- security barrier, so that conditions of a request reach the indexes: a row it leaves out holds
-- nothing secret, the token lives elsewhere.
drop view if exists public.servers_public;
create view public.servers_public as
select
    s.id,
    s.slug,
    s.name,
    s.search_name,
    s.description,
    s.language,
    s.ip_address,
    s.version,
    s.game_id,
    s.tags,
    s.logo_image_url,
    s.banner_image_url,
    s.description_image_url,
    s.backdrop_url,
    s.video_url,
    s.discord_url,
    s.website_url,
    s.owner_id,
    s.open_vote_api,
    s.is_sponsored,
    s.sponsor_tier,
    s.custom_color,
    s.prestige_expires_at,
    (s.is_sponsored and coalesce(s.prestige_expires_at > now(), false)) as is_prestige,
    -- Promoted listings change places every hour, the same way for everybody within it.
    case
        when s.is_sponsored and s.prestige_expires_at > now()
            then uuid_hash_extended(s.id, floor(extract(epoch from now()) / 3600)::bigint)::double precision
    end as promoted_order,
    s.is_prestige_bonus,
    s.is_approved,
    s.is_hidden,
    s.is_online,
    s.online_players,
    s.max_players,
    s.status_checked_at,
    s.total_votes,
    s.monthly_votes,
    s.weekly_votes,
    s.daily_votes,
    s.clicks,
    s.review_count,
    case when s.review_count > 0 then round(s.rating_sum::numeric / s.review_count, 1) end as rating_average,
    -- Counted only for the rows that are shown, and only when asked for.
    (
        select (count(*) + 1)::integer
        from public.servers as better
        where better.is_approved and not better.is_hidden and better.monthly_votes > s.monthly_votes
    ) as rank,
    (
        select (count(*) + 1)::integer
        from public.servers as better
        where
            better.is_approved and not better.is_hidden
            and better.game_id = s.game_id and better.monthly_votes > s.monthly_votes
    ) as game_rank,
    s.created_at,
    s.updated_at
from public.servers as s
where s.is_approved and not s.is_hidden;

revoke all on public.servers_public from anon, authenticated, service_role;
grant select on public.servers_public to anon, authenticated, service_role;

comment on view public.servers_public is 'Approved and visible listings, without anything secret.';
