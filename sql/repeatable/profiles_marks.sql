-- A ban also applies to the account's email address until it is lifted.

create or replace function public.mark_account(p_profile public.profiles) returns void
language sql security definer set search_path = ''
as $$
    insert into public.moderation_marks (
        decision, subject_id, account_id, email_hash, label, reason, decided_by
    )
    values (
        'account_banned', (p_profile).id, (p_profile).id, public.email_hash((p_profile).email), (p_profile).username,
        (p_profile).ban_reason, (select id from public.profiles where id = auth.uid())
    )
    on conflict (decision, subject_id, coalesce(name_key, ''), coalesce(address_key, '')) do nothing
$$;

create or replace function public.follow_ban() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.is_banned then
        perform public.mark_account(new);
    else
        delete from public.moderation_marks
        where
            decision = 'account_banned'
            and (account_id = new.id or email_hash = public.email_hash(new.email));
    end if;
    return null;
end
$$;

drop trigger if exists profiles_follow_ban on public.profiles;
create trigger profiles_follow_ban after update of is_banned on public.profiles
for each row when (old.is_banned <> new.is_banned) execute function public.follow_ban();

-- Bans an account that has the email address of a banned one. Called when an account is created and
-- when its address changes.
create or replace function public.ban_marked_account(p_id uuid, p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_mark public.moderation_marks;
begin
    select * into v_mark
    from public.moderation_marks
    where decision = 'account_banned' and email_hash = public.email_hash(p_email)
    limit 1;
    if found then
        update public.profiles set is_banned = true, ban_reason = v_mark.reason, banned_at = now()
        where id = p_id and not is_banned;
        update auth.users set banned_until = now() + interval '100 years' where id = p_id;
    end if;
end
$$;

-- Create marks of decisions that are older than the marks.
select public.mark_account(p)
from public.profiles as p
where
    p.is_banned
    and not exists (
        select from public.moderation_marks where decision = 'account_banned' and subject_id = p.id
    );

revoke execute on function
    public.mark_account(public.profiles), public.follow_ban(), public.ban_marked_account(uuid, text)
from public;
