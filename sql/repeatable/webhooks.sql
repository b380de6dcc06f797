-- The constraint (is_web_address) checks the form of a URL, and a trigger its host as far as
-- possible: a name may resolve to a private network today and not tomorrow. The address that is
-- dialled is checked at delivery.
revoke all on public.webhooks from anon, authenticated, service_role;
grant select on public.webhooks to authenticated;
grant insert (server_id, url, secret, events, is_active, format), update (url, secret, events, is_active, format), delete
on public.webhooks to authenticated;
grant all on public.webhooks to service_role;

drop policy if exists "owners keep the webhooks of their listings" on public.webhooks;
create policy "owners keep the webhooks of their listings" on public.webhooks
for all to authenticated
using ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]))
with check ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators keep the webhooks of every listing" on public.webhooks;
create policy "administrators keep the webhooks of every listing" on public.webhooks
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.webhooks;
create policy "the service does everything" on public.webhooks
for all to service_role using (true) with check (true);

drop trigger if exists webhooks_touch on public.webhooks;
create trigger webhooks_touch before update on public.webhooks
for each row execute function public.touch_updated_at();

-- Refuses a URL that deliveries cannot reach, so that the owner knows at once. Administrators may
-- use hosts of the operator's own network, which the operator's settings allow.
create or replace function public.refuse_private_receiver() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'UPDATE' and new.url = old.url then
        return new;
    elsif not public.names_public_host(new.url) and public.is_ordinary_caller() then
        raise exception 'The address is not on the public internet'
        using errcode = '23514', detail = 'private_address';
    end if;
    return new;
end
$$;
revoke execute on function public.refuse_private_receiver() from public;

drop trigger if exists webhooks_public_host on public.webhooks;
create trigger webhooks_public_host before insert or update of url on public.webhooks
for each row execute function public.refuse_private_receiver();

-- The previous secret also signs for a day, so that a receiver can change its own at any time
-- within it.
create or replace function public.keep_previous_secret() returns trigger
language plpgsql set search_path = ''
as $$
begin
    if new.secret is distinct from old.secret then
        new.previous_secret := old.secret;
        new.previous_secret_until := now() + interval '1 day';
    end if;
    return new;
end
$$;
revoke execute on function public.keep_previous_secret() from public;

drop trigger if exists webhooks_keep_secret on public.webhooks;
create trigger webhooks_keep_secret before update on public.webhooks
for each row execute function public.keep_previous_secret();

drop trigger if exists webhooks_welcome on public.webhooks;
create trigger webhooks_welcome before update on public.webhooks
for each row execute function public.welcome_receiver('webhook');
