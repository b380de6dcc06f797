-- The new listings that were announced; the announcing service writes this table.
revoke all on public.server_announcements from anon, authenticated, service_role;
grant select on public.server_announcements to service_role;

drop policy if exists "the service reads announcements" on public.server_announcements;
create policy "the service reads announcements" on public.server_announcements
for select to service_role using (true);

-- Claims the only announcement of a listing; returns its content, or no row if it was announced
-- before, if the listing is not visible or not new, or if it is not the owner's.
create or replace function public.claim_server_announcement(p_server_id uuid, p_owner_id uuid)
returns table (slug text, name text, description text, game_name text, logo_image_url text)
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.server_announcements (server_id)
    select s.id
    from public.servers as s
    where
        s.id = p_server_id and s.owner_id = p_owner_id and s.is_approved and not s.is_hidden
        and s.created_at > now() - interval '1 day'
    on conflict do nothing;
    if not found then
        return;
    end if;
    return query
    select s.slug, s.name, s.description, g.name, s.logo_image_url
    from public.servers as s
    join public.games as g on g.id = s.game_id
    where s.id = p_server_id;
end
$$;
revoke execute on function public.claim_server_announcement(uuid, uuid) from public;
