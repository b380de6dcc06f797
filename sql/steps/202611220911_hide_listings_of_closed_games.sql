-- A listing is shown only while its game is offered; see games_closing.sql.
alter table public.servers
drop constraint servers_hidden_reason,
add constraint servers_hidden_reason check (
    hidden_reason in ('owner', 'moderation', 'bonus_expired', 'owner_left', 'game_closed')
);

update public.servers
set is_hidden = true, hidden_reason = 'game_closed'
where not is_hidden and game_id in (select id from public.games where not is_active);
