revoke all on public.server_api_tokens from anon, authenticated, service_role;
grant select on public.server_api_tokens to authenticated;
grant all on public.server_api_tokens to service_role;

drop policy if exists "owners read the tokens of their listings" on public.server_api_tokens;
create policy "owners read the tokens of their listings" on public.server_api_tokens
for select to authenticated
using ((select public.has_shown_second_factor()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators read every token" on public.server_api_tokens;
create policy "administrators read every token" on public.server_api_tokens
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_api_tokens;
create policy "the service does everything" on public.server_api_tokens
for all to service_role using (true) with check (true);

-- A new token of 244 random bits, made without an extension.
create or replace function public.new_api_token() returns text
language sql volatile set search_path = ''
as $$
    select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create or replace function public.give_api_token() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.server_api_tokens (server_id, token) values (new.id, public.new_api_token());
    return null;
end
$$;

drop trigger if exists servers_give_api_token on public.servers;
create trigger servers_give_api_token after insert on public.servers
for each row execute function public.give_api_token();

create or replace function public.regenerate_server_api_token(p_server_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
    v_token text := public.new_api_token();
begin
    perform public.require_owner_or_admin(p_server_id);
    insert into public.server_api_tokens (server_id, token)
    values (p_server_id, v_token)
    on conflict (server_id) do update set token = excluded.token, created_at = now();
    return v_token;
end
$$;

revoke execute on function
    public.new_api_token(), public.give_api_token(), public.regenerate_server_api_token(uuid)
from public;
grant execute on function public.regenerate_server_api_token(uuid) to authenticated, service_role;
