-- Who may do what, in one place for every policy and procedure.
--
-- Files run as a whole, in the order of their names. The body of a `language sql` function is read
-- when it is made, so it may only name what an earlier file or a migration made; plpgsql looks names up
-- when it runs. Hence the 00: what everybody refers to comes first. A file that is no table bears
-- the name of its table in front (`votes_counting`).
--
-- Before version 15 everybody could make objects here.
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- Whoever protects the account with a second factor counts as themselves only after showing it in
-- this session.
create or replace function public.has_shown_second_factor() returns boolean
language sql stable security definer set search_path = ''
as $$
    select case
        when auth.jwt() ->> 'aal' = 'aal2' then true
        else not exists (
            select from auth.mfa_factors
            where user_id = (select auth.uid()) and status::text = 'verified'
        )
    end
$$;

create or replace function public.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select from public.profiles
        where id = (select auth.uid()) and role in ('admin', 'founder') and not is_banned
            and public.has_shown_second_factor()
    )
$$;

create or replace function public.is_founder() returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select from public.profiles
        where id = (select auth.uid()) and role = 'founder' and not is_banned
            and public.has_shown_second_factor()
    )
$$;

-- Someone with an account of their own that is not banned; anonymous sign-ins only look and vote.
create or replace function public.may_contribute() returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select from public.profiles
        where id = (select auth.uid()) and not is_banned and public.has_shown_second_factor()
    ) and coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false) is false
$$;

-- The service itself, or a login of the database that took no other role. Asks the session, not the
-- token: the role is what the gateway switched to, whatever claim it read it from.
create or replace function public.is_trusted_caller() returns boolean
language sql stable set search_path = ''
as $$
    select coalesce(nullif(current_setting('role', true), ''), 'none') in ('none', 'service_role')
$$;

-- True for people who come through the API and are not administrators.
create or replace function public.is_ordinary_caller() returns boolean
language sql stable security definer set search_path = ''
as $$
    select not public.is_trusted_caller() and not public.is_admin()
$$;

drop function if exists public.require_admin();
create or replace function public.require_admin(
    p_refusal text default 'Only founders and administrators may do this'
) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
    if public.is_ordinary_caller() then
        raise exception '%', p_refusal using errcode = '42501';
    end if;
end
$$;

-- For what people may add only so much of. Pages know the refusal by its detail and say the number
-- in its hint.
create or replace function public.refuse_over_limit(p_count bigint, p_limit integer, p_what text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
    if p_count >= p_limit then
        raise exception 'The limit is reached' using errcode = 'P0001', detail = p_what, hint = p_limit::text;
    end if;
end
$$;

create or replace function public.owns_server(p_server_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (select from public.servers where id = p_server_id and owner_id = (select auth.uid()))
$$;

-- The caller's listings, for policies: asked in a scalar subquery they are read once per statement,
-- where a call with the row's column would be made for every row.
create or replace function public.own_server_ids() returns uuid[]
language sql stable security definer set search_path = ''
as $$
    select coalesce(array_agg(id), '{}') from public.servers where owner_id = (select auth.uid())
$$;

create or replace function public.require_owner_or_admin(p_server_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
    if not exists (select from public.servers where id = p_server_id) then
        raise exception 'Server not found' using errcode = 'PT404';
    end if;
    if public.is_ordinary_caller() and not (public.owns_server(p_server_id) and public.may_contribute()) then
        raise exception 'Only the owner of the server may do this' using errcode = '42501';
    end if;
end
$$;

create or replace function public.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
    new.updated_at := now();
    return new;
end
$$;

revoke execute on function
    public.has_shown_second_factor(), public.is_admin(), public.is_founder(), public.may_contribute(),
    public.is_trusted_caller(), public.is_ordinary_caller(), public.require_admin(text),
    public.refuse_over_limit(bigint, integer, text), public.owns_server(uuid), public.own_server_ids(),
    public.require_owner_or_admin(uuid), public.touch_updated_at()
from public;
grant execute on function public.is_admin(), public.may_contribute(), public.owns_server(uuid)
to anon, authenticated, service_role;
grant execute on function public.own_server_ids() to authenticated, service_role;
grant execute on function public.has_shown_second_factor() to authenticated, service_role;

-- Whoever writes a view is refused for want of a right, as with any table that is read only: a view
-- would be refused for what it is.
create or replace function public.refuse_writing() returns trigger
language plpgsql set search_path = ''
as $$
begin
    raise exception 'This view is read only' using errcode = '42501';
end
$$;
revoke execute on function public.refuse_writing() from public;
