-- The rank of each number of votes, refreshed by a job every few seconds. A listing's rank is that
-- of the highest step it has reached. So its own new votes count at once, and those of others with
-- the next refresh.
revoke all on public.rank_steps from anon, authenticated, service_role;
grant select on public.rank_steps to anon, authenticated;
grant all on public.rank_steps to service_role;

drop policy if exists "everyone sees the ranks" on public.rank_steps;
create policy "everyone sees the ranks" on public.rank_steps
for select to anon, authenticated using (true);

drop policy if exists "the service does everything" on public.rank_steps;
create policy "the service does everything" on public.rank_steps
for all to service_role using (true) with check (true);

-- The id under which the ranks of all games together are stored.
create or replace function public.all_games() returns uuid
language sql immutable parallel safe
as $$
    select '00000000-0000-0000-0000-000000000000'::uuid
$$;

create or replace function public.rank_at(p_game_id uuid, p_votes integer) returns integer
language sql stable parallel safe
as $$
    select coalesce(
        (
            select step.rank from public.rank_steps as step
            where step.game_id = p_game_id and step.votes <= p_votes
            order by step.votes desc
            limit 1
        ),
        1
    )
$$;

-- Recounts how many listings are ahead of each number of votes; returns how many steps changed. One
-- process at a time; the others return 0.
create or replace function public.refresh_ranks() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_changed integer;
begin
    if not pg_try_advisory_xact_lock(hashtextextended('public.rank_steps', 0)) then
        return 0;
    end if;
    with counted as materialized (
        select t.game_id, t.monthly_votes as votes, count(*) as servers
        from public.server_standings as t
        where t.is_listed
        group by t.game_id, t.monthly_votes
    ),
    scoped as (
        select game_id, votes, servers from counted
        union all
        select public.all_games(), votes, sum(servers) from counted group by votes
        union all
        -- The step of zero votes, which every listing has reached.
        select game_id, 0, 0 from (select distinct game_id from counted union all select public.all_games()) as games
    ),
    summed as (
        select game_id, votes, sum(servers) as servers from scoped group by game_id, votes
    ),
    ranked as materialized (
        select
            game_id,
            votes,
            1 + coalesce(
                sum(servers) over (
                    partition by game_id order by votes desc rows between unbounded preceding and 1 preceding
                ),
                0
            )::integer as rank
        from summed
    ),
    kept as (
        insert into public.rank_steps as step (game_id, votes, rank)
        select game_id, votes, rank from ranked
        on conflict (game_id, votes) do update set rank = excluded.rank where step.rank <> excluded.rank
        returning 1
    ),
    gone as (
        delete from public.rank_steps as step
        where not exists (
            select from ranked where ranked.game_id = step.game_id and ranked.votes = step.votes
        )
        returning 1
    )
    select (select count(*) from kept) + (select count(*) from gone) into v_changed;
    return v_changed;
end
$$;

revoke execute on function public.all_games(), public.rank_at(uuid, integer), public.refresh_ranks() from public;

do $$
begin
    perform public.refresh_ranks();
end
$$;
