-- The sessions of an account, and ending one of them. The rows belong to the auth service; people
-- see and end only their own.

create or replace function public.get_my_sessions()
returns table (
    id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, ip text, aal text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
    if not public.has_shown_second_factor() then
        raise exception 'Second factor required' using errcode = '42501';
    end if;
    return query
    select
        s.id,
        s.created_at,
        coalesce(s.refreshed_at at time zone 'utc', s.updated_at, s.created_at) as last_seen,
        s.user_agent,
        host(s.ip),
        s.aal::text,
        s.id::text is not distinct from (select auth.jwt() ->> 'session_id') as current_one
    from auth.sessions as s
    where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
    order by current_one desc, last_seen desc, s.id;
end
$$;

-- Ends a session. Its refresh tokens are deleted; an issued access token stays valid until it
-- expires.
create or replace function public.end_my_session(p_session_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if not public.has_shown_second_factor() then
        raise exception 'Second factor required' using errcode = '42501';
    end if;
    delete from auth.sessions where id = p_session_id and user_id = auth.uid();
    if not found then
        raise exception 'Session not found' using errcode = 'PT404';
    end if;
end
$$;

revoke execute on function public.get_my_sessions(), public.end_my_session(uuid) from public;
grant execute on function public.get_my_sessions(), public.end_my_session(uuid) to authenticated, service_role;
