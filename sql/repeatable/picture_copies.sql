-- Pictures that a job has to copy into the bucket. The triggers below insert rows when a URL is
-- written, and a row is deleted when its copy has replaced the URL. Only the job uses this table.
revoke all on public.picture_copies from anon, authenticated, service_role;

-- Enqueues the trigger's columns that hold the URL of an external picture. A setting's value is
-- JSON.
create or replace function public.queue_external_pictures() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_row constant jsonb := to_jsonb(new);
    v_field text;
    v_address text;
begin
    foreach v_field in array tg_argv loop
        v_address := v_row ->> v_field;
        if tg_table_name = 'site_settings' then
            v_address := v_address::jsonb #>> '{}';
        end if;
        continue when v_address is null or v_address !~* '^https?:';
        insert into public.picture_copies as c (holder, holder_key, field, address)
        values (tg_table_name, coalesce(v_row ->> 'id', v_row ->> 'setting_key'), v_field, v_address)
        on conflict (holder, holder_key, field) do update
        set address = excluded.address, attempts = 0, due_at = now(), reason = null
        where c.address <> excluded.address;
    end loop;
    return null;
end
$$;

drop trigger if exists servers_outside_pictures on public.servers;
create trigger servers_outside_pictures
after insert or update of logo_image_url, banner_image_url, description_image_url, backdrop_url on public.servers
for each row when (
    concat_ws(' ', new.logo_image_url, new.banner_image_url, new.description_image_url, new.backdrop_url)
    ~* '(^| )https?:'
)
execute function public.queue_external_pictures(
    'logo_image_url', 'banner_image_url', 'description_image_url', 'backdrop_url'
);

drop trigger if exists games_outside_pictures on public.games;
create trigger games_outside_pictures after insert or update of logo_url, backdrop_url on public.games
for each row when (concat_ws(' ', new.logo_url, new.backdrop_url) ~* '(^| )https?:')
execute function public.queue_external_pictures('logo_url', 'backdrop_url');

drop trigger if exists arcade_spots_outside_pictures on public.arcade_spots;
create trigger arcade_spots_outside_pictures after insert or update of image_url on public.arcade_spots
for each row when (new.image_url ~* '^https?:')
execute function public.queue_external_pictures('image_url');

drop trigger if exists partners_outside_pictures on public.partners;
create trigger partners_outside_pictures after insert or update of logo_url on public.partners
for each row when (new.logo_url ~* '^https?:')
execute function public.queue_external_pictures('logo_url');

drop trigger if exists site_settings_outside_pictures on public.site_settings;
create trigger site_settings_outside_pictures after insert or update of setting_value on public.site_settings
for each row when (new.setting_key = 'all_games_backdrop_url' and new.setting_value ~* '^\s*"https?:')
execute function public.queue_external_pictures('setting_value');

-- Claims due pictures for `p_lease` seconds. `folder` is the folder of the copy: that of the row's
-- owner, so that the owner's limits apply.
create or replace function public.claim_picture_copies(p_at timestamptz, p_lease integer, p_rows integer)
returns table (holder text, holder_key text, field text, address text, folder text)
language sql security definer set search_path = ''
as $$
    update public.picture_copies as c
    set attempts = c.attempts + 1, due_at = p_at + make_interval(secs => p_lease)
    from (
        select w.holder, w.holder_key, w.field
        from public.picture_copies as w
        where w.due_at <= p_at
        order by w.due_at
        limit p_rows
        for update skip locked
    ) as due
    where c.holder = due.holder and c.holder_key = due.holder_key and c.field = due.field
    returning
        c.holder, c.holder_key, c.field, c.address,
        case c.holder
            when 'servers' then coalesce(
                (select s.owner_id::text from public.servers as s where s.id = c.holder_key::uuid), 'site'
            )
            when 'arcade_spots' then 'arcade-spots/' || coalesce(
                (select a.booked_by::text from public.arcade_spots as a where a.id = c.holder_key::uuid), 'site'
            )
            else 'site'
        end
$$;

-- Replaces the URL by the copy's path, unless the row has another URL by now, or stores the reason
-- of a failure. A failed copy is retried after 5 minutes, 25 minutes and so on, five times in all;
-- then it waits until another URL is written.
create or replace function public.settle_picture_copy(
    p_holder text, p_holder_key text, p_field text, p_address text, p_path text, p_reason text, p_at timestamptz
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if p_path is null then
        update public.picture_copies
        set
            reason = p_reason,
            due_at = case when attempts < 5 then p_at + interval '1 minute' * 5 ^ attempts else 'infinity' end
        where holder = p_holder and holder_key = p_holder_key and field = p_field and address = p_address;
        return;
    end if;
    if p_holder = 'site_settings' then
        update public.site_settings set setting_value = to_jsonb(p_path)::text
        where setting_key = p_holder_key and setting_value::jsonb #>> '{}' = p_address;
    else
        execute format('update public.%I set %I = $1 where id = $2::uuid and %I = $3', p_holder, p_field, p_field)
        using p_path, p_holder_key, p_address;
    end if;
    delete from public.picture_copies
    where holder = p_holder and holder_key = p_holder_key and field = p_field and address = p_address;
end
$$;

-- Whether a caller with these claims may add pictures. The claims stay set until the transaction
-- ends.
create or replace function public.may_add_pictures(p_claims text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    perform set_config('request.jwt.claims', p_claims, true);
    return public.may_contribute();
end
$$;

revoke execute on function
    public.queue_external_pictures(), public.claim_picture_copies(timestamptz, integer, integer),
    public.settle_picture_copy(text, text, text, text, text, text, timestamptz), public.may_add_pictures(text)
from public;
