-- Who sees, lists and edits listings. Counters, promotion, approval and visibility are not granted
-- to anybody: procedures write them. What a written row must look like is in servers_checks.sql.
revoke all on public.servers from anon, authenticated, service_role;
-- Visitors do not read what moderators count and note, nor which payment promotes a listing.
-- Signed-in people have the whole row, since owners and administrators need it and a grant cannot
-- tell them from others.
grant select (
    id, slug, name, description, language, ip_address, version, game_id, tags, logo_image_url, banner_image_url,
    description_image_url, backdrop_url, video_url, discord_url, website_url, owner_id, open_vote_api, is_sponsored,
    sponsor_tier, custom_color, prestige_expires_at, is_prestige_bonus, is_approved, is_hidden, is_online,
    online_players, max_players, status_checked_at, total_votes, monthly_votes, weekly_votes, daily_votes, clicks,
    review_count, rating_sum, created_at, updated_at
) on public.servers to anon;
grant select on public.servers to authenticated;
grant insert (
    name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
    banner_image_url, description_image_url, backdrop_url, language, custom_color, owner_id
) on public.servers to authenticated;
grant update (
    name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
    banner_image_url, description_image_url, backdrop_url, language, custom_color, open_vote_api
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

-- Counters move without touching the date of the last edit.
drop trigger if exists servers_touch on public.servers;
create trigger servers_touch before update of
name, game_id, description, ip_address, version, discord_url, website_url, video_url, tags, logo_image_url,
banner_image_url, description_image_url, backdrop_url, language, custom_color, open_vote_api, owner_id
on public.servers
for each row execute function public.touch_updated_at();

-- What the vote API, the listing of somebody's own servers and the administrators read as
-- servers.api_token.
create or replace function public.api_token(server public.servers) returns text
language sql stable set search_path = ''
as $$
    select token from public.server_api_tokens where server_id = (server).id
$$;
revoke execute on function public.api_token(public.servers) from public;
grant execute on function public.api_token(public.servers) to authenticated, service_role;
