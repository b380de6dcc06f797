-- The first three of the months that are over, and where everybody stood this morning.
do $$
begin
    if (select is_new from demo_state) then
        while public.keep_month_podiums(now()) is not null loop
        end loop;
    end if;
end
$$;

update public.server_standings as t
set place_day = public.site_today(), day_rank = begun.day_rank, day_game_rank = begun.day_game_rank
from (
    select
        server_id,
        rank() over (order by monthly_votes - daily_votes desc) as day_rank,
        rank() over (partition by game_id order by monthly_votes - daily_votes desc) as day_game_rank
    from public.server_standings
    where is_listed and monthly_votes > daily_votes
) as begun
where begun.server_id = t.server_id and (select is_new from demo_state);

do $$
begin
    perform public.refresh_ranks();
    perform public.refresh_rises('00000000-0000-0000-0000-000000000000', 1000000);
end
$$;
