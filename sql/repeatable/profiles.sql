revoke all on public.profiles from anon, authenticated, service_role;
grant select on public.profiles to authenticated;
grant update (username, language, weekly_mail) on public.profiles to authenticated;
grant all on public.profiles to service_role;

drop policy if exists "people see their own profile" on public.profiles;
create policy "people see their own profile" on public.profiles
for select to authenticated using (id = (select auth.uid()));

drop policy if exists "administrators see every profile" on public.profiles;
create policy "administrators see every profile" on public.profiles
for select to authenticated using ((select public.is_admin()));

drop policy if exists "people edit their own profile" on public.profiles;
create policy "people edit their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()) and (select public.may_contribute()))
with check (id = (select auth.uid()));

drop policy if exists "the service does everything" on public.profiles;
create policy "the service does everything" on public.profiles
for all to service_role using (true) with check (true);

drop trigger if exists profiles_touch on public.profiles;
create trigger profiles_touch before update of username, language, role, is_banned, email on public.profiles
for each row execute function public.touch_updated_at();

-- The public columns of profiles, without the email address. Runs with its owner's rights, so the
-- policies above do not apply.
drop view if exists public.profiles_public;
create view public.profiles_public as
select id, username, role, total_votes, created_at
from public.profiles;
revoke all on public.profiles_public from anon, authenticated, service_role;
grant select on public.profiles_public to anon, authenticated, service_role;

-- Locks a name until the transaction ends, before any row is locked. Two transactions that take the
-- same name run one after the other, and the second sees the first one's row.
create or replace function public.lock_username(p_username text) returns void
language sql security definer set search_path = ''
as $$
    select pg_advisory_xact_lock(hashtextextended('public.profiles.username ' || lower(p_username), 0))
$$;

-- Whether a name looks like that of another administrator or founder. The name is folded once, not
-- for each of them.
create or replace function public.looks_like_staff(p_username text, p_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
    select exists (
        select
        from (select public.name_key(p_username) as name_key offset 0) as wish
        inner join public.profiles as p on nullif(public.name_key(p.username), '') = wish.name_key
        where p.role <> 'user' and p.id <> p_id
    )
$$;

-- Refuses names with invisible characters and names that look like an administrator's or a
-- founder's. The column's check constraint comes after this trigger, so the length is checked here,
-- too, before a long text is normalized and folded.
create or replace function public.check_username() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    -- A text that NFC composes to thirty letters has at most four times as many characters.
    if char_length(new.username) > 120 then
        raise exception 'A name has 2 to 30 characters'
        using errcode = '23514', constraint = 'profiles_username_length';
    end if;
    new.username := normalize(new.username, NFC);
    if char_length(new.username) > 30 then
        raise exception 'A name has 2 to 30 characters'
        using errcode = '23514', constraint = 'profiles_username_length';
    end if;
    if new.username <> public.without_hidden_characters(new.username) then
        raise exception 'The name holds characters nobody sees'
        using errcode = '23514', constraint = 'profiles_username_characters';
    end if;
    perform public.lock_username(new.username);
    if public.looks_like_staff(new.username, new.id) then
        raise exception 'The name looks like that of somebody of the site'
        using errcode = '23505', constraint = 'profiles_username_key';
    end if;
    return new;
end
$$;

drop trigger if exists profiles_check_username on public.profiles;
create trigger profiles_check_username before insert or update of username on public.profiles
for each row execute function public.check_username();

-- A username from the account's metadata, never from its email address, which is private.
create or replace function public.wished_username(p_id uuid, p_metadata jsonb) returns text
language sql immutable set search_path = ''
as $$
    select case when char_length(wish) >= 2 then wish else 'joueur-' || left(p_id::text, 6) end
    from (
        select btrim(left(btrim(regexp_replace(
            public.without_hidden_characters(coalesce(
                nullif(btrim(p_metadata ->> 'username'), ''), nullif(btrim(p_metadata ->> 'user_name'), ''),
                nullif(btrim(p_metadata ->> 'preferred_username'), ''), nullif(btrim(p_metadata ->> 'name'), ''), ''
            )), '[[:cntrl:]<>&"[:space:]]+', ' ', 'g'
        )), 30)) as wish
    ) as wishes
$$;

-- The hook `before_user_created`: refuses sign-ups while registration is closed, and a taken name
-- that a person has chosen, before the account exists. Names from external providers were not
-- chosen here and are replaced instead.
create or replace function public.refuse_taken_username(event jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
    v_id constant uuid := event -> 'user' ->> 'id';
    v_metadata constant jsonb := event -> 'user' -> 'user_metadata';
    v_name text;
begin
    if not public.setting_boolean('registration_open', true) then
        return '{"error": {"http_code": 422, "message": "signup_disabled"}}';
    end if;
    if
        coalesce(event -> 'user' -> 'app_metadata' ->> 'provider', '') not in ('email', 'phone')
        or nullif(btrim(v_metadata ->> 'username'), '') is null
    then
        return '{}';
    end if;
    v_name := normalize(public.wished_username(v_id, v_metadata), NFC);
    perform public.lock_username(v_name);
    if
        exists (select from public.profiles where lower(username) = lower(v_name))
        or public.looks_like_staff(v_name, v_id)
    then
        return '{"error": {"http_code": 409, "message": "username_taken"}}';
    end if;
    return '{}';
end
$$;

-- Creates a profile and never fails, because a sign-up matters more than a name. A taken name that
-- no hook has refused gets the first characters of the account's id.
create or replace function public.create_profile(
    p_id uuid, p_email text, p_metadata jsonb, p_created_at timestamptz
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_username text := public.wished_username(p_id, p_metadata);
    v_name text;
begin
    foreach v_name in array array[
        v_username, left(v_username, 25) || '-' || left(p_id::text, 4), 'joueur-' || left(replace(p_id::text, '-', ''), 20)
    ] loop
        begin
            insert into public.profiles (id, username, email, language, created_at)
            values (
                p_id, v_name, p_email,
                substring(coalesce(p_metadata ->> 'language', p_metadata ->> 'lang') from '^(fr|en|es)$'),
                coalesce(p_created_at, now())
            )
            on conflict (id) do nothing;
            return;
        exception when unique_violation or check_violation then
            continue;
        end;
    end loop;
exception when others then
    raise warning 'no profile for account %: %', p_id, sqlerrm;
end
$$;

create or replace function public.follow_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'INSERT' then
        perform public.create_profile(new.id, new.email, new.raw_user_meta_data, new.created_at);
    else
        update public.profiles set email = new.email where id = new.id;
    end if;
    perform public.ban_marked_account(new.id, new.email);
    return null;
end
$$;

drop trigger if exists profiles_follow_new_accounts on auth.users;
create trigger profiles_follow_new_accounts after insert on auth.users
for each row execute function public.follow_account();

drop trigger if exists profiles_follow_addresses on auth.users;
create trigger profiles_follow_addresses after update of email on auth.users
for each row when (old.email is distinct from new.email) execute function public.follow_account();

-- Create profiles of accounts that are older than this schema.
select public.create_profile(u.id, u.email, u.raw_user_meta_data, u.created_at)
from auth.users as u
where not exists (select from public.profiles as p where p.id = u.id);

revoke execute on function
    public.lock_username(text), public.looks_like_staff(text, uuid), public.check_username(),
    public.wished_username(uuid, jsonb), public.refuse_taken_username(jsonb),
    public.create_profile(uuid, text, jsonb, timestamptz), public.follow_account()
from public;
grant execute on function public.refuse_taken_username(jsonb) to supabase_auth_admin;
