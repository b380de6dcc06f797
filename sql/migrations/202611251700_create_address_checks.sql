-- What people type as an address is one: a host without a user's name in front, nothing a reader would not see, and no
-- other scheme. The functions are these of 00_addresses.sql, made here because the constraints call them.
create function public.is_web_address(p_text text) returns boolean
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

create function public.is_picture_address(p_text text) returns boolean
language sql immutable strict parallel safe
as $$
    select public.is_web_address(p_text) or (
        p_text ~ '^/([^/\\]|$)' and public.is_web_address('https://site' || p_text)
    )
$$;

create function public.is_host(p_text text) returns boolean
language sql immutable strict parallel safe
as $$
    select
        char_length(p_text) <= 255
        and p_text ~* '^([a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*)$'
$$;

revoke execute on function
    public.is_web_address(text), public.is_picture_address(text), public.is_host(text)
from public;

-- A constraint is judged with the rights of whoever writes the row.
grant execute on function
    public.is_web_address(text), public.is_picture_address(text), public.is_host(text)
to authenticated, service_role;
