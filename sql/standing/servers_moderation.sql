-- What administrators do to listings.

create or replace function public.set_server_approval(p_server_id uuid, p_approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    update public.servers set is_approved = coalesce(p_approved, false) where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'P0002';
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
        raise exception 'Server not found' using errcode = 'P0002';
    end if;
end
$$;

create or replace function public.reassign_server(p_server_id uuid, p_owner_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    if not exists (select from public.profiles where id = p_owner_id) then
        raise exception 'User not found' using errcode = 'P0002';
    end if;
    update public.servers
    set
        owner_id = p_owner_id,
        is_hidden = is_hidden and hidden_reason is distinct from 'owner_left',
        hidden_reason = nullif(hidden_reason, 'owner_left')
    where id = p_server_id;
    if not found then
        raise exception 'Server not found' using errcode = 'P0002';
    end if;
    -- The former owner knew the token.
    perform public.regenerate_server_api_token(p_server_id);
end
$$;

revoke execute on function
    public.set_server_approval(uuid, boolean), public.set_server_disabled(uuid, boolean),
    public.reassign_server(uuid, uuid)
from public;
grant execute on function
    public.set_server_approval(uuid, boolean), public.set_server_disabled(uuid, boolean),
    public.reassign_server(uuid, uuid)
to authenticated, service_role;
