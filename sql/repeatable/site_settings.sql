revoke all on public.site_settings from anon, authenticated, service_role;
grant select on public.site_settings to anon, authenticated;
grant insert (setting_key, setting_value), update (setting_key, setting_value), delete
on public.site_settings to authenticated;
grant all on public.site_settings to service_role;

drop policy if exists "everyone reads the settings" on public.site_settings;
create policy "everyone reads the settings" on public.site_settings
for select to anon, authenticated using (true);

drop policy if exists "administrators change the settings" on public.site_settings;
create policy "administrators change the settings" on public.site_settings
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.site_settings;
create policy "the service does everything" on public.site_settings
for all to service_role using (true) with check (true);

-- A value must be JSON, and that of a known key must have its type, because procedures rely on it.
-- Null means "not set".
create or replace function public.check_site_setting() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_value text;
    v_is_good boolean := true;
begin
    begin
        v_value := new.setting_value::jsonb #>> '{}';
    exception when invalid_text_representation then
        raise exception 'The value of % is not JSON', new.setting_key using errcode = '23514';
    end;
    if v_value is not null then
        v_is_good := case new.setting_key
            when 'vote_cooldown_seconds' then v_value ~ '^[0-9]{1,7}$' and v_value::integer between 60 and 604800
            when 'vote_limit_address_hour' then v_value ~ '^[0-9]{1,7}$'
            when 'vote_limit_address_day' then v_value ~ '^[0-9]{1,7}$'
            when 'vote_limit_network_hour' then v_value ~ '^[0-9]{1,7}$'
            when 'vote_limit_server_minute' then v_value ~ '^[0-9]{1,7}$'
            when 'site_timezone' then exists (select from pg_catalog.pg_timezone_names where name = v_value)
            when 'base_server_limit' then v_value ~ '^[0-9]{1,4}$'
            when 'total_servers' then v_value ~ '^[0-9]{1,9}$'
            when 'arcade_spot_daily_price_cents' then v_value ~ '^[0-9]{1,7}$'
            when 'tax_basis_points' then v_value ~ '^[0-9]{1,4}$'
            when 'withdrawal_days' then v_value ~ '^(1[4-9]|[2-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-5])$'
            when 'prestige_pass_votes_per_day' then v_value ~ '^[1-9][0-9]{0,6}$'
            when 'competitive_event_finalize_after_hours' then v_value ~ '^[0-9]{1,3}$'
            when 'registration_open' then v_value in ('true', 'false')
            when 'auto_approve_servers' then v_value in ('true', 'false')
            when 'structured_data_fallback_rating' then v_value ~ '^(|[1-4](\.[0-9])?|5(\.0)?)$'
            when 'seller_name' then char_length(v_value) <= 200
            when 'seller_address' then char_length(v_value) <= 500
            when 'seller_tax_id' then char_length(v_value) <= 100
            when 'publication_director' then char_length(v_value) <= 200
            when 'host_particulars' then char_length(v_value) <= 500
            when 'consumer_mediator' then char_length(v_value) <= 500
            when 'all_games_backdrop_url' then v_value = '' or public.is_picture_address(v_value)
            else true
        end;
    end if;
    if not v_is_good then
        raise exception 'This is not a value for %', new.setting_key
        using errcode = '23514', constraint = 'site_settings_known_values';
    end if;
    new.updated_at := now();
    new.updated_by := (select id from public.profiles where id = auth.uid());
    return new;
end
$$;
revoke execute on function public.check_site_setting() from public;

drop trigger if exists site_settings_check on public.site_settings;
create trigger site_settings_check before insert or update on public.site_settings
for each row execute function public.check_site_setting();
