-- The rights of callers, for every policy and procedure.
--
-- Repeatable files run as a whole, in the order of their names. The body of a `language sql`
-- function is checked when it is created, so it can only use objects of a migration or of an
-- earlier file; plpgsql resolves names when it runs. The prefix 00 puts shared functions first. A
-- file that is not about a whole table starts with the table's name (`votes_counting`).
--
-- Before PostgreSQL 15 everybody could create objects in this schema.
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- Whether the caller has used the account's second factor in this session, or has none.
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

-- Whether the caller has an account with a profile that is not banned; anonymous accounts may only
-- read and vote.
create or replace function public.may_contribute() returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select from public.profiles
        where id = (select auth.uid()) and not is_banned and public.has_shown_second_factor()
    ) and coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false) is false
$$;

-- Whether the caller is the service itself, or a database login that has set no other role. Checks
-- the session's role, which the gateway has set, not the token's claim.
create or replace function public.is_trusted_caller() returns boolean
language sql stable set search_path = ''
as $$
    select coalesce(nullif(current_setting('role', true), ''), 'none') in ('none', 'service_role')
$$;

-- Whether the caller comes through the API and is no administrator.
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

-- Refuses a row past a limit. Pages recognize the refusal by its detail and show the number in its
-- hint.
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

-- The ids of the caller's listings, for policies. In a scalar subquery they are read once a
-- statement; a call with the row's column would run for every row.
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

-- Refuses writes to a view with the error for a missing privilege, as for a read-only table.
-- PostgreSQL's own error would say that the view cannot be written.
create or replace function public.refuse_writing() returns trigger
language plpgsql set search_path = ''
as $$
begin
    raise exception 'This view is read only' using errcode = '42501';
end
$$;
revoke execute on function public.refuse_writing() from public;
