-- Typed values of settings, and the site's current day. Unreadable or missing settings have their
-- defaults.
--
-- These functions are plpgsql, which keeps its plans: every vote calls them, and an SQL function
-- that cannot be inlined is planned at each call.
create or replace function public.setting_text(p_key text, p_default text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
    return coalesce(
        (select setting_value::jsonb #>> '{}' from public.site_settings where setting_key = p_key),
        p_default
    );
end
$$;

create or replace function public.setting_integer(p_key text, p_default integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_text text := public.setting_text(p_key, '');
begin
    return case when v_text ~ '^[0-9]{1,9}$' then v_text::integer else p_default end;
end
$$;

create or replace function public.setting_boolean(p_key text, p_default boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
    return case public.setting_text(p_key, '') when 'true' then true when 'false' then false else p_default end;
end
$$;

create or replace function public.vote_cooldown() returns interval
language plpgsql stable security definer set search_path = ''
as $$
begin
    return make_interval(secs => greatest(1, public.setting_integer('vote_cooldown_seconds', 7200)));
end
$$;

-- The calendar day of a time in the site's time zone; weeks begin on Monday.
create or replace function public.site_day(p_at timestamptz) returns date
language plpgsql stable security definer set search_path = ''
as $$
begin
    return (p_at at time zone public.setting_text('site_timezone', 'Europe/Paris'))::date;
end
$$;

create or replace function public.site_today() returns date
language sql stable security definer set search_path = ''
as $$
    select public.site_day(now())
$$;

create or replace function public.week_of(p_day date) returns date
language sql immutable parallel safe
as $$
    select pg_catalog.date_trunc('week', p_day::timestamp)::date
$$;

create or replace function public.month_of(p_day date) returns date
language sql immutable parallel safe
as $$
    select pg_catalog.date_trunc('month', p_day::timestamp)::date
$$;

revoke execute on function
    public.setting_text(text, text), public.setting_integer(text, integer), public.setting_boolean(text, boolean),
    public.vote_cooldown(), public.site_day(timestamptz), public.site_today(), public.week_of(date),
    public.month_of(date)
from public;
grant execute on function public.site_today() to anon, authenticated, service_role;
grant execute on function public.vote_cooldown(), public.site_day(timestamptz) to service_role;
