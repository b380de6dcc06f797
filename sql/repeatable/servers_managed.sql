-- The caller's listings, or all of them for administrators, with internal columns, standing and
-- token. Runs with its owner's rights, because nobody else may read whole listings; only its
-- condition restricts the rows, and is checked once a statement.
drop view if exists public.servers_managed;
create view public.servers_managed with (security_barrier) as
select
    s.id,
    s.slug,
    s.name,
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
    s.shows_prestige,
    s.is_prestige_bonus,
    s.is_approved,
    s.is_hidden,
    s.hidden_reason,
    s.refused_at,
    s.moderation_reason,
    s.warnings,
    s.review_count,
    s.rating_sum,
    s.created_at,
    s.updated_at,
    t.is_online,
    t.online_players,
    t.max_players,
    t.status_checked_at,
    t.total_votes,
    t.monthly_votes,
    t.weekly_votes,
    t.daily_votes,
    t.clicks,
    -- As in the table of tokens, a stolen password alone does not reveal a token.
    case
        when (select public.has_shown_second_factor())
            then (select k.token from public.server_api_tokens as k where k.server_id = s.id)
    end as api_token
from public.servers as s
inner join public.server_standings as t on t.server_id = s.id
where s.owner_id = (select auth.uid()) or (select public.is_admin());

revoke all on public.servers_managed from anon, authenticated, service_role;
grant select on public.servers_managed to authenticated;

create trigger nobody_writes instead of insert or update or delete on public.servers_managed
for each row execute function public.refuse_writing();

comment on view public.servers_managed is 'Listings as those who keep them see them.';
