-- Who reads, creates and edits listings. Counters, promotion, approval and visibility are granted
-- to nobody: procedures write them. servers_checks.sql checks the written rows.
revoke all on public.servers from anon, authenticated, service_role;
-- Moderators' counts and notes and the payment of a promotion are not readable here: a grant cannot
-- distinguish the owner from others. Owners and administrators read servers_managed.
grant select (
    id, slug, name, description, language, ip_address, version, game_id, tags, logo_image_url, banner_image_url,
    description_image_url, backdrop_url, video_url, discord_url, website_url, owner_id, open_vote_api, is_sponsored,
    sponsor_tier, custom_color, prestige_expires_at, is_prestige_bonus, is_approved, is_hidden, review_count,
    rating_sum, created_at, updated_at
) on public.servers to anon, authenticated;
-- Clients may send the last five columns, but not decide them: see decline_decided_fields.
grant insert (
    name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
    banner_image_url, description_image_url, backdrop_url, language, custom_color, owner_id,
    is_sponsored, sponsor_tier, is_prestige_bonus, is_approved, is_hidden
) on public.servers to authenticated;
grant update (
    name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
    banner_image_url, description_image_url, backdrop_url, language, custom_color, open_vote_api, shows_prestige
) on public.servers to authenticated;
grant delete on public.servers to authenticated;
grant all on public.servers to service_role;

drop policy if exists "everyone sees public listings" on public.servers;
create policy "everyone sees public listings" on public.servers
for select to anon, authenticated using (is_approved and not is_hidden);

drop policy if exists "owners see their listings" on public.servers;
create policy "owners see their listings" on public.servers
for select to authenticated using (owner_id = (select auth.uid()));

drop policy if exists "administrators see every listing" on public.servers;
create policy "administrators see every listing" on public.servers
for select to authenticated using ((select public.is_admin()));

drop policy if exists "people list their own servers" on public.servers;
create policy "people list their own servers" on public.servers
for insert to authenticated
with check (owner_id = (select auth.uid()) and (select public.may_contribute()));

drop policy if exists "owners edit their listings" on public.servers;
create policy "owners edit their listings" on public.servers
for update to authenticated
using (owner_id = (select auth.uid()) and (select public.may_contribute()))
with check (owner_id = (select auth.uid()));

drop policy if exists "administrators edit every listing" on public.servers;
create policy "administrators edit every listing" on public.servers
for update to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "owners delete their listings" on public.servers;
create policy "owners delete their listings" on public.servers
for delete to authenticated
using (owner_id = (select auth.uid()) and (select public.may_contribute()));

drop policy if exists "administrators delete every listing" on public.servers;
create policy "administrators delete every listing" on public.servers
for delete to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.servers;
create policy "the service does everything" on public.servers
for all to service_role using (true) with check (true);

-- Changes of counters do not change the date of the last edit.
drop trigger if exists servers_touch on public.servers;
create trigger servers_touch before update of
name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
banner_image_url, description_image_url, backdrop_url, language, custom_color, open_vote_api, owner_id
on public.servers
for each row execute function public.touch_updated_at();

-- The computed column servers.api_token, for the service.
create or replace function public.api_token(server public.servers) returns text
language sql stable set search_path = ''
as $$
    select token from public.server_api_tokens where server_id = (server).id
$$;
revoke execute on function public.api_token(public.servers) from public, authenticated;
grant execute on function public.api_token(public.servers) to service_role;

-- Counters and status as computed columns of the listing, read from its standing, whose policies
-- apply. They are for the service, which may read whole rows of servers; visitors use
-- servers_public, owners servers_managed.
create or replace function public.is_online(server public.servers) returns boolean
language sql stable
as $$
    select standing.is_online from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.online_players(server public.servers) returns integer
language sql stable
as $$
    select standing.online_players from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.max_players(server public.servers) returns integer
language sql stable
as $$
    select standing.max_players from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.status_checked_at(server public.servers) returns timestamptz
language sql stable
as $$
    select standing.status_checked_at from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.total_votes(server public.servers) returns integer
language sql stable
as $$
    select standing.total_votes from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.monthly_votes(server public.servers) returns integer
language sql stable
as $$
    select standing.monthly_votes from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.weekly_votes(server public.servers) returns integer
language sql stable
as $$
    select standing.weekly_votes from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.daily_votes(server public.servers) returns integer
language sql stable
as $$
    select standing.daily_votes from public.server_standings as standing where standing.server_id = (server).id
$$;
create or replace function public.clicks(server public.servers) returns integer
language sql stable
as $$
    select standing.clicks from public.server_standings as standing where standing.server_id = (server).id
$$;
revoke execute on function
    public.is_online(public.servers), public.online_players(public.servers),
    public.max_players(public.servers), public.status_checked_at(public.servers),
    public.total_votes(public.servers), public.monthly_votes(public.servers),
    public.weekly_votes(public.servers), public.daily_votes(public.servers),
    public.clicks(public.servers)
from public, authenticated;
grant execute on function
    public.is_online(public.servers), public.online_players(public.servers),
    public.max_players(public.servers), public.status_checked_at(public.servers),
    public.total_votes(public.servers), public.monthly_votes(public.servers),
    public.weekly_votes(public.servers), public.daily_votes(public.servers),
    public.clicks(public.servers)
to service_role;
