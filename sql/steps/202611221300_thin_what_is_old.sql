-- What is old is read by its age, a step at a time, by a job. Votes and clicks enter their index when their address is
-- forgotten, not when they are cast.
create index votes_old_idx on public.votes (voted_at) where ip_hash is null;
create index server_clicks_old_idx on public.server_clicks (clicked_at) where ip_hash is null;
create index deliveries_age_idx on public.deliveries (created_at);

-- Votes of an account whose rows are gone; total_votes is these and those that stand.
alter table public.profiles
add column thinned_votes integer not null default 0,
add constraint profiles_thinned_votes check (thinned_votes >= 0);

-- Votes cast before are not all there any more: what is counted anew from votes is counted from here on.
alter table public.vote_clock add column thinned_before timestamptz;

drop function if exists public.purge_vote_identities(timestamptz);
