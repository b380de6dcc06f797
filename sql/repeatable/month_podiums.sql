-- Places of hidden listings are not visible; those of deleted listings keep the name.
revoke all on public.month_podiums from anon, authenticated, service_role;
grant select on public.month_podiums to anon, authenticated;
grant delete on public.month_podiums to authenticated;
grant all on public.month_podiums to service_role;

drop policy if exists "everyone sees the places of public listings and of those that are gone" on public.month_podiums;
create policy "everyone sees the places of public listings and of those that are gone" on public.month_podiums
for select to anon, authenticated
using (
    server_id is null
    or exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners see the places of their listings" on public.month_podiums;
create policy "owners see the places of their listings" on public.month_podiums
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see all places" on public.month_podiums;
create policy "administrators see all places" on public.month_podiums
for select to authenticated using ((select public.is_admin()));

-- Administrators can delete a place whose name must not stay public.
drop policy if exists "administrators take places away" on public.month_podiums;
create policy "administrators take places away" on public.month_podiums
for delete to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.month_podiums;
create policy "the service does everything" on public.month_podiums
for all to service_role using (true) with check (true);

-- Stores the first three listings of each game in the earliest finished month without podiums;
-- returns that month, or null if there is none. The month and its places are stored in one
-- transaction, so they are stored once; a second process waits for the first. Later votes change
-- nothing. Of equal votes the older listing is ahead.
create or replace function public.keep_month_podiums(p_at timestamptz) returns date
language plpgsql security definer set search_path = ''
as $$
declare
    v_month date := (
        select min(m.month)
        from public.server_monthly_votes as m
        where
            m.month < public.month_of(public.site_day(p_at))
            and m.month > coalesce((select max(kept.month) from public.podium_months as kept), '-infinity')
    );
begin
    if v_month is null then
        return null;
    end if;
    insert into public.podium_months (month) values (v_month) on conflict do nothing;
    if found then
        insert into public.month_podiums (game_id, month, place, server_id, server_name, votes)
        select placed.game_id, v_month, placed.place, placed.server_id, placed.name, placed.votes
        from (
            select
                t.game_id,
                m.server_id,
                s.name,
                m.votes,
                row_number() over (partition by t.game_id order by m.votes desc, t.created_at, m.server_id) as place
            from public.server_monthly_votes as m
            inner join public.server_standings as t on t.server_id = m.server_id
            inner join public.servers as s on s.id = m.server_id
            where m.month = v_month and m.votes > 0 and t.is_listed
        ) as placed
        where placed.place <= 3;
    end if;
    return v_month;
end
$$;

revoke execute on function public.keep_month_podiums(timestamptz) from public;
grant execute on function public.keep_month_podiums(timestamptz) to service_role;
