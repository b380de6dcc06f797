-- Records every change of a role or a ban, also if it is made by hand in the database.
create or replace function public.audit_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.role <> old.role then
        perform public.record_decision('role_changed', jsonb_build_object(
            'user', new.id, 'username', new.username, 'from', old.role, 'to', new.role
        ));
    end if;
    if new.is_banned <> old.is_banned then
        perform public.record_decision(
            case when new.is_banned then 'account_banned' else 'account_unbanned' end,
            jsonb_build_object('user', new.id, 'username', new.username, 'reason', new.ban_reason)
        );
    end if;
    return null;
end
$$;

drop trigger if exists profiles_audit on public.profiles;
create trigger profiles_audit after update of role, is_banned on public.profiles
for each row when (old.role <> new.role or old.is_banned <> new.is_banned)
execute function public.audit_profile();

revoke execute on function public.audit_profile() from public;
