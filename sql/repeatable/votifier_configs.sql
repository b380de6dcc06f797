-- The constraint (is_host) checks the form of a host only. The address that is dialled is checked
-- at delivery.
revoke all on public.votifier_configs from anon, authenticated, service_role;
grant select on public.votifier_configs to authenticated;
grant insert (server_id, host, port, protocol, token, public_key, is_active), update (host, port, protocol, token, public_key, is_active), delete
on public.votifier_configs to authenticated;
grant all on public.votifier_configs to service_role;

drop policy if exists "owners keep the vote listeners of their listings" on public.votifier_configs;
create policy "owners keep the vote listeners of their listings" on public.votifier_configs
for all to authenticated
using ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]))
with check ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators keep the vote listeners of every listing" on public.votifier_configs;
create policy "administrators keep the vote listeners of every listing" on public.votifier_configs
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.votifier_configs;
create policy "the service does everything" on public.votifier_configs
for all to service_role using (true) with check (true);

drop trigger if exists votifier_configs_touch on public.votifier_configs;
create trigger votifier_configs_touch before update on public.votifier_configs
for each row execute function public.touch_updated_at();

drop trigger if exists votifier_configs_welcome on public.votifier_configs;
create trigger votifier_configs_welcome before update on public.votifier_configs
for each row execute function public.welcome_receiver('votifier');
