-- Checks of written listings. Triggers fire in the order of their names.

create or replace function public.clean_server_texts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if char_length(new.name) > 2000 or char_length(new.version) > 2000 or char_length(new.description) > 60000 then
        raise exception 'The text is too long' using errcode = '23514', constraint = 'servers_text_lengths';
    end if;
    if char_length(btrim(public.plain_text(new.name))) not between 3 and 100 then
        raise exception 'Invalid server name - must be 3-100 characters'
        using errcode = '23514', constraint = 'servers_name_length';
    end if;
    new.name := btrim(public.clean_text(regexp_replace(new.name, '\s+', ' ', 'g')));
    new.description := public.clean_text(coalesce(new.description, ''));
    new.version := nullif(btrim(public.clean_text(new.version)), '');
    if char_length(public.plain_text(new.name)) < 3 then
        raise exception 'Invalid server name - must be 3-100 characters'
        using errcode = '23514', constraint = 'servers_name_length';
    end if;
    if char_length(public.plain_text(new.description)) > 10000 or char_length(public.plain_text(new.version)) > 50 then
        raise exception 'The text is too long' using errcode = '23514', constraint = 'servers_text_lengths';
    end if;
    return new;
end
$$;

-- Whether a text is an IPv4 address or a host name, optionally with a port. Four numbers with dots
-- are an address, never a name.
create or replace function public.is_server_address(p_address text) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
    select case
        when char_length(p_address) > 255 then false
        when p_address ~ '^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+(:.*)?$'
            then p_address ~ ('^(' || octet || '\.){3}' || octet || '(:[0-9]{1,5})?$')
        else p_address ~ '^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$'
    end
    from (values ('(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])')) as parts (octet)
$$;

create or replace function public.check_server_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.ip_address := coalesce(nullif(btrim(new.ip_address), ''), 'N/A');
    if new.ip_address <> 'N/A' and not public.is_server_address(new.ip_address) then
        raise exception 'Invalid IP address format' using errcode = '23514', constraint = 'servers_address_format';
    end if;
    return new;
end
$$;

-- Tags must be names of the catalog. Duplicates are removed, and the order stays.
create or replace function public.check_server_tags() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_unknown text;
begin
    if cardinality(new.tags) > 100 then
        raise exception 'A listing has 10 tags at most' using errcode = '23514', constraint = 'servers_tag_count';
    end if;
    new.tags := coalesce(
        (
            select array_agg(tag order by place)
            from (select tag, min(ordinality) as place
                  from unnest(new.tags) with ordinality as given (tag, ordinality)
                  group by tag) as once
        ),
        '{}'
    );
    select tag into v_unknown
    from unnest(new.tags) as given (tag)
    where not exists (select from public.server_tags where name = given.tag)
    limit 1;
    if found then
        raise exception 'Unknown tag: %', v_unknown using errcode = '23514', constraint = 'servers_known_tags';
    end if;
    return new;
end
$$;

-- Color and banner are part of Prestige: without it they can be removed, but not set.
create or replace function public.check_prestige_fields() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_old public.servers;
begin
    if tg_op = 'UPDATE' then
        v_old := old;
    end if;
    if (
        (new.custom_color is not null and new.custom_color is distinct from v_old.custom_color)
        or (new.banner_image_url is not null and new.banner_image_url is distinct from v_old.banner_image_url)
    ) and not (new.is_sponsored and coalesce(new.prestige_expires_at > now(), false))
        and public.is_ordinary_caller()
    then
        raise exception 'The banner and the colour are part of Prestige' using errcode = '42501';
    end if;
    return new;
end
$$;

-- A listing without an owner stays hidden until it gets a new one.
create or replace function public.hide_left_server() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.is_hidden := true;
    new.hidden_reason := coalesce(new.hidden_reason, 'owner_left');
    return new;
end
$$;

-- The client does not decide the initial state of a new listing. Default values are accepted and
-- other claims are refused; approval and bonus are set here, whatever the client sends.
create or replace function public.decline_decided_fields() returns trigger
language plpgsql set search_path = ''
as $$
begin
    if current_user <> 'authenticated' then
        return new;
    elsif new.is_sponsored or new.is_hidden or new.sponsor_tier <> '' then
        raise exception 'Promotion and visibility are not set with a new listing' using errcode = '42501';
    end if;
    new.is_sponsored := false;
    new.is_hidden := false;
    new.sponsor_tier := null;
    new.is_prestige_bonus := false;
    new.is_approved := null;
    new.custom_color := nullif(new.custom_color, '');
    return new;
end
$$;

drop trigger if exists servers_05_decided on public.servers;
create trigger servers_05_decided before insert on public.servers
for each row execute function public.decline_decided_fields();
drop trigger if exists servers_10_texts on public.servers;
create trigger servers_10_texts before insert or update of name, description, version on public.servers
for each row execute function public.clean_server_texts();
drop trigger if exists servers_20_address on public.servers;
create trigger servers_20_address before insert or update of ip_address on public.servers
for each row execute function public.check_server_address();
drop trigger if exists servers_30_tags on public.servers;
create trigger servers_30_tags before insert or update of tags on public.servers
for each row execute function public.check_server_tags();
drop trigger if exists servers_60_prestige_fields on public.servers;
create trigger servers_60_prestige_fields before insert or update of custom_color, banner_image_url on public.servers
for each row execute function public.check_prestige_fields();
drop trigger if exists servers_70_owner_left on public.servers;
create trigger servers_70_owner_left before update of owner_id on public.servers
for each row when (new.owner_id is null and old.owner_id is not null) execute function public.hide_left_server();

revoke execute on function
    public.clean_server_texts(), public.is_server_address(text), public.check_server_address(),
    public.check_server_tags(), public.check_prestige_fields(), public.hide_left_server(),
    public.decline_decided_fields()
from public;
