-- Roles, bans, and the deletion of accounts.

-- Administrators decide about users and may appoint administrators. Only founders may remove
-- administrators and change founders.
create or replace function public.require_authority_over(p_user_id uuid, p_new_role text default null)
returns public.profiles
language plpgsql security definer set search_path = ''
as $$
declare
    v_profile public.profiles;
begin
    perform public.require_admin();
    select * into v_profile from public.profiles where id = p_user_id for no key update;
    if not found then
        raise exception 'User not found' using errcode = 'PT404';
    end if;
    if (v_profile.role <> 'user' or p_new_role = 'founder')
        and not public.is_trusted_caller() and not public.is_founder()
    then
        raise exception 'Only founders may do this' using errcode = '42501';
    end if;
    return v_profile;
end
$$;

-- Refuses to remove the last founder.
create or replace function public.keep_a_founder() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('public.founders', 0));
    if not exists (select from public.profiles where role = 'founder' and id <> old.id) then
        raise exception 'The last founder must stay one' using errcode = '42501';
    end if;
    return new;
end
$$;

drop trigger if exists profiles_keep_a_founder on public.profiles;
create trigger profiles_keep_a_founder before update of role on public.profiles
for each row when (old.role = 'founder' and new.role <> 'founder') execute function public.keep_a_founder();

create or replace function public.set_user_role(p_user_id uuid, p_role text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_authority_over(p_user_id, p_role);
    if p_role is null or p_role not in ('user', 'admin', 'founder') then
        raise exception 'A role is user, admin or founder' using errcode = '22023';
    end if;
    update public.profiles set role = p_role where id = p_user_id;
end
$$;

-- Bans an account: it cannot sign in, and its open sessions cannot write. The ban ends at `p_until`
-- if it is set (end_bans).
drop function if exists public.ban_user(uuid, text);
create or replace function public.ban_user(
    p_user_id uuid, p_reason text default null, p_until timestamptz default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_authority_over(p_user_id);
    if p_user_id = auth.uid() then
        raise exception 'Nobody bans themselves' using errcode = '22023';
    end if;
    if p_until <= now() then
        raise exception 'A ban ends later' using errcode = '22023';
    end if;
    update public.profiles
    set is_banned = true, ban_reason = p_reason, banned_at = now(), banned_until = p_until
    where id = p_user_id;
    update auth.users set banned_until = coalesce(p_until, now() + interval '100 years') where id = p_user_id;
end
$$;

create or replace function public.unban_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_authority_over(p_user_id);
    perform public.lift_ban(p_user_id);
end
$$;

create or replace function public.lift_ban(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    update public.profiles set is_banned = false, ban_reason = null, banned_at = null, banned_until = null
    where id = p_user_id;
    update auth.users set banned_until = null where id = p_user_id;
end
$$;

-- Ends expired bans, at most `p_rows`; returns how many.
create or replace function public.end_bans(p_at timestamptz, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_ids constant uuid[] := array(
        select id from public.profiles
        where is_banned and banned_until <= p_at
        order by banned_until
        limit p_rows
        for no key update skip locked
    );
begin
    perform public.lift_ban(id) from unnest(v_ids) as id;
    return cardinality(v_ids);
end
$$;

create or replace function public.delete_user(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_profile constant jsonb := to_jsonb(public.require_authority_over(p_user_id));
begin
    if public.is_admin() then
        perform public.write_audit_entry('deleted', 'profiles', v_profile, public.audited_row(v_profile), null);
    end if;
    perform public.erase_account(p_user_id);
end
$$;

create or replace function public.delete_own_account() returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if auth.uid() is null then
        raise exception 'Authentication required' using errcode = '42501';
    end if;
    if not public.has_shown_second_factor() then
        raise exception 'Second factor required' using errcode = '42501';
    end if;
    if exists (select from public.profiles where id = auth.uid() and is_banned) then
        raise exception 'A banned account is not deleted by its owner' using errcode = '42501';
    end if;
    perform public.erase_account(auth.uid());
end
$$;

-- Deletes an account. Its listings stay, hidden and without their owner's secrets; votes and
-- reviews stay without their author.
create or replace function public.erase_account(p_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if exists (select from public.profiles where id = p_user_id and role = 'founder')
        and not exists (select from public.profiles where id <> p_user_id and role = 'founder')
    then
        raise exception 'The last founder must stay one' using errcode = '42501';
    end if;
    perform public.record_decision('account_deleted', jsonb_build_object(
        'user', p_user_id, 'username', (select username from public.profiles where id = p_user_id)
    ));
    delete from public.webhooks
    where server_id in (select id from public.servers where owner_id = p_user_id);
    delete from public.votifier_configs
    where server_id in (select id from public.servers where owner_id = p_user_id);
    delete from public.server_api_tokens
    where server_id in (select id from public.servers where owner_id = p_user_id);
    delete from auth.users where id = p_user_id;
end
$$;

revoke execute on function
    public.require_authority_over(uuid, text), public.keep_a_founder(), public.set_user_role(uuid, text),
    public.ban_user(uuid, text, timestamptz), public.unban_user(uuid), public.lift_ban(uuid),
    public.end_bans(timestamptz, integer), public.delete_user(uuid), public.delete_own_account(),
    public.erase_account(uuid)
from public;
grant execute on function
    public.set_user_role(uuid, text), public.ban_user(uuid, text, timestamptz), public.unban_user(uuid),
    public.delete_user(uuid), public.delete_own_account()
to authenticated, service_role;
grant execute on function public.end_bans(timestamptz, integer) to service_role;
