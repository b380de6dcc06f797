-- Actions of administrators on listings.

create or replace function public.set_server_approval(p_server_id uuid, p_approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    update public.servers
    set
        is_approved = coalesce(p_approved, false),
        refused_at = case when not coalesce(p_approved, false) then coalesce(refused_at, now()) end
    where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
end
$$;

create or replace function public.set_server_disabled(p_server_id uuid, p_disabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    update public.servers
    set
        is_hidden = coalesce(p_disabled, true),
        hidden_reason = case when coalesce(p_disabled, true) then 'moderation' end
    where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
end
$$;

create or replace function public.reassign_server(p_server_id uuid, p_owner_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    if not exists (select from public.profiles where id = p_owner_id) then
        raise exception 'User not found' using errcode = 'PT404';
    end if;
    update public.servers
    set
        owner_id = p_owner_id,
        is_hidden = is_hidden and hidden_reason is distinct from 'owner_left',
        hidden_reason = nullif(hidden_reason, 'owner_left')
    where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
    -- The former owner knows the token.
    perform public.regenerate_server_api_token(p_server_id);
end
$$;

-- The state of a listing for administrators: `waiting`, `refused`, `suspended`, `hidden` by anybody
-- else, or `shown`.
create or replace function public.server_state(p_server public.servers) returns text
language sql immutable set search_path = ''
as $$
    select case
        when not (p_server).is_approved and (p_server).refused_at is null then 'waiting'
        when not (p_server).is_approved then 'refused'
        when (p_server).is_hidden and (p_server).hidden_reason = 'moderation' then 'suspended'
        when (p_server).is_hidden then 'hidden'
        else 'shown'
    end
$$;

-- Applies a decision to a listing, and stores the reason that its owner reads while the decision
-- stands.
create or replace function public.apply_server_decision(p_server_id uuid, p_decision text, p_words text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if p_decision in ('approve', 'refuse') then
        perform public.set_server_approval(p_server_id, p_decision = 'approve');
    else
        perform public.set_server_disabled(p_server_id, p_decision = 'suspend');
    end if;
    if p_decision = 'refuse' then
        -- A listing that was never shown cannot come back under its name, either.
        perform public.mark_server(s, 'server_refused') from public.servers as s where s.id = p_server_id;
    end if;
    update public.servers set moderation_reason = case when p_decision in ('refuse', 'suspend') then p_words end
    where id = p_server_id;
end
$$;

-- Decides about a listing in the state that the administrator saw; if the state has changed,
-- refuses with the current one. Refusing and suspending need a reason, which the owner reads while
-- the decision stands.
create or replace function public.judge_server(
    p_server_id uuid, p_decision text, p_seen_state text, p_reason text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_server public.servers;
    v_reason constant text := nullif(btrim(p_reason), '');
    v_against constant boolean := p_decision in ('refuse', 'suspend');
begin
    perform public.require_admin();
    select * into v_server from public.servers where id = p_server_id for update;
    if not found then
        raise exception 'Server not found' using errcode = 'PT404';
    elsif p_decision is null or p_decision not in ('approve', 'refuse', 'suspend', 'restore') then
        raise exception 'There is no such decision' using errcode = '22023';
    elsif v_against and v_reason is null then
        raise exception 'Its owner must be told why' using errcode = '22023', detail = 'reason_missing';
    elsif public.server_state(v_server) is distinct from p_seen_state then
        raise exception 'Somebody decided before'
        using errcode = 'P0001', detail = 'server_decided', hint = public.server_state(v_server);
    end if;
    perform public.record_server_decision(v_server, p_decision, v_reason);
    perform public.apply_server_decision(p_server_id, p_decision, v_reason);
end
$$;

revoke execute on function
    public.judge_server(uuid, text, text, text), public.apply_server_decision(uuid, text, text),
    public.server_state(public.servers)
from public;
grant execute on function public.judge_server(uuid, text, text, text), public.server_state(public.servers)
to authenticated, service_role;

revoke execute on function
    public.set_server_approval(uuid, boolean), public.set_server_disabled(uuid, boolean),
    public.reassign_server(uuid, uuid)
from public;
grant execute on function
    public.set_server_approval(uuid, boolean), public.set_server_disabled(uuid, boolean),
    public.reassign_server(uuid, uuid)
to authenticated, service_role;
