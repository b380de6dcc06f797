-- Which values the columns for URLs and hosts accept. The constraints of these columns call the
-- functions below.

-- An http or https URL, with a host, without user information and without invisible characters.
-- Where the URL leads is checked when a request is sent, on the address that is dialled.
create or replace function public.is_web_address(p_text text) returns boolean
language sql immutable strict parallel safe
as $$
    select
        char_length(p_text) <= 2048
        and p_text ~* (
            '^https?://([^][[:space:][:cntrl:]/?#@:\\<>"''`{}|^%]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?'
            || '([/?#][^[:space:][:cntrl:]\\<>"`{}|^]*)?$'
        )
        and (
            octet_length(p_text) = char_length(p_text)
            or p_text !~ (
                '[\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F'
                || '\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U000E0000-\U000E0FFF]'
            )
        )
$$;

-- A web address, or a path of this site. `//host` and `/\host` are no paths, because browsers read
-- them as another host.
create or replace function public.is_picture_address(p_text text) returns boolean
language sql immutable strict parallel safe
as $$
    select public.is_web_address(p_text) or (
        p_text ~ '^/([^/\\]|$)' and public.is_web_address('https://site' || p_text)
    )
$$;

-- A host name or an IP address, without a port.
create or replace function public.is_host(p_text text) returns boolean
language sql immutable strict parallel safe
as $$
    select
        char_length(p_text) <= 255
        and p_text ~* '^([a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*)$'
$$;

-- Whether a URL's host, as written, can be on the public internet: not `localhost`, no address of a
-- private or reserved network, and no number that browsers and resolvers read as an address. What a
-- name resolves to is checked at delivery. The ranges are those of `compat_http::Outgoing`.
create or replace function public.names_public_host(p_url text) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
    v_host text := rtrim(lower(substring(p_url from '(?i)^https?://(\[[^]]*\]|[^/?#:]*)')), '.');
    v_address inet;
begin
    if v_host is null or v_host = 'localhost' or v_host like '%.localhost' then
        return false;
    elsif v_host ~ '^\[' then
        v_address := btrim(v_host, '[]')::inet;
        return v_address <<= '2000::/3' and not v_address <<= any (
            '{2001::/23,2001:db8::/32,2002::/16,3fff::/20}'::inet[]
        );
    elsif v_host ~ '^([0-9]{1,3}\.){3}[0-9]{1,3}$' then
        v_address := v_host::inet;
        return not v_address <<= any (
            '{
                0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,168.63.129.16/32,169.254.0.0/16,172.16.0.0/12,
                192.0.0.0/24,192.0.2.0/24,192.88.99.0/24,192.168.0.0/16,198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,
                224.0.0.0/4,240.0.0.0/4
            }'::inet[]
        );
    end if;
    -- Resolvers read `127.1`, `2130706433` and `0x7f000001` as addresses.
    return v_host !~ '^(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+))*$';
exception
    when invalid_text_representation then
        return false;
end
$$;

revoke execute on function
    public.is_web_address(text), public.is_picture_address(text), public.is_host(text), public.names_public_host(text)
from public;
-- A constraint is checked with the rights of the role that writes the row.
grant execute on function
    public.is_web_address(text), public.is_picture_address(text), public.is_host(text)
to authenticated, service_role;
