-- If a moderator disabled a listing, a new one with its name or its address is disabled, too, and
-- after a refusal it waits for approval, whoever creates it. New listings of the owner wait for
-- approval while the decision stands.

create or replace function public.mark_server(p_server public.servers, p_decision text) returns void
language sql security definer set search_path = ''
as $$
    insert into public.moderation_marks (
        decision, subject_id, server_id, account_id, email_hash, game_id, name_key, address_key, label, decided_by
    )
    select
        p_decision, (p_server).id, (p_server).id, (p_server).owner_id,
        (select public.email_hash(email) from public.profiles where id = (p_server).owner_id),
        (p_server).game_id, public.listing_key((p_server).name),
        public.address_key((p_server).ip_address, (p_server).game_id), public.plain_text((p_server).name),
        (select id from public.profiles where id = auth.uid())
    on conflict (decision, subject_id, coalesce(name_key, ''), coalesce(address_key, '')) do nothing
$$;

create or replace function public.lift_server_marks(p_server public.servers, p_decision text) returns void
language sql security definer set search_path = ''
as $$
    delete from public.moderation_marks
    where
        decision = p_decision
        and (
            subject_id = (p_server).id
            or (
                game_id = (p_server).game_id
                and (
                    name_key = public.listing_key((p_server).name)
                    or address_key = public.address_key((p_server).ip_address, (p_server).game_id)
                )
            )
        )
$$;

create or replace function public.is_disabled(p_server public.servers) returns boolean
language sql immutable set search_path = ''
as $$
    select (p_server).is_hidden and coalesce((p_server).hidden_reason = 'moderation', false)
$$;

create or replace function public.follow_server_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'DELETE' then
        -- Marks the listing's current name and address, too.
        if public.is_disabled(old) then
            perform public.mark_server(old, 'server_disabled');
        end if;
        if exists (
            select from public.moderation_marks where decision = 'server_refused' and subject_id = old.id
        ) then
            perform public.mark_server(old, 'server_refused');
        end if;
        return null;
    end if;
    if public.is_disabled(new) then
        perform public.mark_server(new, 'server_disabled');
    elsif tg_op = 'UPDATE' and public.is_disabled(old) then
        perform public.lift_server_marks(new, 'server_disabled');
    end if;
    if tg_op = 'UPDATE' and old.is_approved and not new.is_approved then
        perform public.mark_server(new, 'server_refused');
    elsif tg_op = 'UPDATE' and new.is_approved and not old.is_approved then
        perform public.lift_server_marks(new, 'server_refused');
    end if;
    return null;
end
$$;

drop trigger if exists servers_follow_decision on public.servers;
create trigger servers_follow_decision after insert or delete or update of is_hidden, hidden_reason, is_approved
on public.servers
for each row execute function public.follow_server_decision();

-- Applies to people's own listings, not to those that administrators or the service write.
create or replace function public.apply_server_marks() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_name_key text := public.listing_key(new.name);
    v_address_key text := public.address_key(new.ip_address, new.game_id);
    v_is_same boolean;
    v_is_known boolean;
begin
    if not public.is_ordinary_caller() then
        return new;
    end if;
    select
        bool_or(
            decision = 'server_disabled' and game_id = new.game_id
            and (name_key = v_name_key or coalesce(address_key = v_address_key, false))
        ),
        count(*) > 0
    into v_is_same, v_is_known
    from public.moderation_marks
    where
        decision in ('server_disabled', 'server_refused') and subject_id <> new.id
        and (
            (game_id = new.game_id and (name_key = v_name_key or address_key = v_address_key))
            or (
                tg_op = 'INSERT'
                and (
                    account_id = new.owner_id
                    or email_hash = (select public.email_hash(email) from public.profiles where id = new.owner_id)
                )
            )
        );
    if v_is_same then
        new.is_hidden := true;
        new.hidden_reason := 'moderation';
    end if;
    if v_is_known and tg_op = 'INSERT' then
        new.is_approved := false;
    end if;
    return new;
end
$$;

drop trigger if exists servers_45_marks on public.servers;
create trigger servers_45_marks before insert or update of name, ip_address, game_id on public.servers
for each row execute function public.apply_server_marks();

-- Create marks of decisions that are older than the marks.
select public.mark_server(s, 'server_disabled')
from public.servers as s
where
    public.is_disabled(s)
    and not exists (
        select from public.moderation_marks where decision = 'server_disabled' and subject_id = s.id
    );

revoke execute on function
    public.mark_server(public.servers, text), public.lift_server_marks(public.servers, text),
    public.is_disabled(public.servers), public.follow_server_decision(), public.apply_server_marks()
from public;
