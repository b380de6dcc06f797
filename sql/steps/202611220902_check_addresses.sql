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

-- What was stored before and is none is taken out; it led nowhere or somewhere it should not.
update public.servers
set
    logo_image_url = case when public.is_picture_address(logo_image_url) then logo_image_url end,
    banner_image_url = case when public.is_picture_address(banner_image_url) then banner_image_url end,
    description_image_url = case when public.is_picture_address(description_image_url) then description_image_url end,
    backdrop_url = case when public.is_picture_address(backdrop_url) then backdrop_url end,
    video_url = case when public.is_web_address(video_url) then video_url end,
    discord_url = case when public.is_web_address(discord_url) then discord_url end,
    website_url = case when public.is_web_address(website_url) then website_url end
where
    not (
        coalesce(public.is_picture_address(logo_image_url), true)
        and coalesce(public.is_picture_address(banner_image_url), true)
        and coalesce(public.is_picture_address(description_image_url), true)
        and coalesce(public.is_picture_address(backdrop_url), true)
        and coalesce(public.is_web_address(video_url), true)
        and coalesce(public.is_web_address(discord_url), true)
        and coalesce(public.is_web_address(website_url), true)
    );
update public.games
set
    logo_url = case when public.is_picture_address(logo_url) then logo_url end,
    backdrop_url = case when public.is_picture_address(backdrop_url) then backdrop_url end
where not (
    coalesce(public.is_picture_address(logo_url), true) and coalesce(public.is_picture_address(backdrop_url), true)
);
update public.arcade_spots
set
    image_url = case when public.is_picture_address(image_url) then image_url else '/pictures/social-card.png' end,
    website_url = case when public.is_web_address(website_url) then website_url end
where not (public.is_picture_address(image_url) and coalesce(public.is_web_address(website_url), true));
update public.partners
set
    logo_url = case when public.is_picture_address(logo_url) then logo_url end,
    backlink_url = case when public.is_web_address(backlink_url) then backlink_url end
where not (
    coalesce(public.is_picture_address(logo_url), true) and coalesce(public.is_web_address(backlink_url), true)
);
delete from public.partners where not public.is_web_address(url);
delete from public.webhooks where not public.is_web_address(url);
delete from public.votifier_configs where not public.is_host(host);

alter table public.servers
drop constraint servers_links,
drop constraint servers_pictures,
add constraint servers_links check (
    public.is_web_address(video_url) and public.is_web_address(discord_url) and public.is_web_address(website_url)
),
add constraint servers_pictures check (
    public.is_picture_address(logo_image_url) and public.is_picture_address(banner_image_url)
    and public.is_picture_address(description_image_url) and public.is_picture_address(backdrop_url)
);
alter table public.games
drop constraint games_picture_addresses,
add constraint games_picture_addresses check (
    public.is_picture_address(logo_url) and public.is_picture_address(backdrop_url)
);
alter table public.arcade_spots
drop constraint arcade_spots_image,
drop constraint arcade_spots_website,
add constraint arcade_spots_image check (public.is_picture_address(image_url)),
add constraint arcade_spots_website check (public.is_web_address(website_url));
alter table public.partners
drop constraint partners_url,
drop constraint partners_logo,
drop constraint partners_backlink,
add constraint partners_url check (public.is_web_address(url)),
add constraint partners_logo check (public.is_picture_address(logo_url)),
add constraint partners_backlink check (public.is_web_address(backlink_url));
-- Where an address leads is judged when something is sent, on the very address that is dialled: a name may lead to a
-- private network today and not tomorrow, so a loopback or private target is stored and never called.
alter table public.webhooks
drop constraint webhooks_url,
add constraint webhooks_url check (public.is_web_address(url));
alter table public.votifier_configs
drop constraint votifier_configs_host,
add constraint votifier_configs_host check (public.is_host(host));
