-- Closing a game hides its listings, and opening it shows them again. So every visible listing has
-- an open game, and lists need not check.

create or replace function public.follow_game_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.is_active then
        update public.servers set is_hidden = false, hidden_reason = null
        where game_id = new.id and hidden_reason = 'game_closed';
    else
        update public.servers set is_hidden = true, hidden_reason = 'game_closed'
        where game_id = new.id and not is_hidden;
    end if;
    return null;
end
$$;

drop trigger if exists games_follow_activity on public.games;
create trigger games_follow_activity after update of is_active on public.games
for each row when (old.is_active <> new.is_active) execute function public.follow_game_activity();

-- A transaction that shows a listing while its game is being closed waits here for the result.
create or replace function public.refuse_inactive_game() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_is_active boolean;
begin
    if new.is_hidden and new.hidden_reason is distinct from 'game_closed' then
        return new;
    end if;
    select is_active into v_is_active from public.games where id = new.game_id for share;
    new.is_hidden := not coalesce(v_is_active, false);
    new.hidden_reason := case when new.is_hidden then 'game_closed' end;
    return new;
end
$$;

drop trigger if exists servers_80_game_activity on public.servers;
create trigger servers_80_game_activity before insert or update of game_id, is_hidden, hidden_reason on public.servers
for each row execute function public.refuse_inactive_game();

revoke execute on function public.follow_game_activity(), public.refuse_inactive_game() from public;
