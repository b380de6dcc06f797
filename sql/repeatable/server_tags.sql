revoke all on public.server_tags from anon, authenticated, service_role;
grant select on public.server_tags to anon, authenticated;
grant insert, update, delete on public.server_tags to authenticated;
grant all on public.server_tags to service_role;

drop policy if exists "everyone sees the tags" on public.server_tags;
create policy "everyone sees the tags" on public.server_tags
for select to anon, authenticated using (true);

drop policy if exists "administrators keep the tags" on public.server_tags;
create policy "administrators keep the tags" on public.server_tags
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_tags;
create policy "the service does everything" on public.server_tags
for all to service_role using (true) with check (true);

drop trigger if exists server_tags_touch on public.server_tags;
create trigger server_tags_touch before update on public.server_tags
for each row execute function public.touch_updated_at();

-- Listings store the names of tags: renaming a tag updates them, and deleting one removes it from
-- them.
create or replace function public.follow_tag_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'DELETE' then
        update public.servers set tags = array_remove(tags, old.name) where tags @> array[old.name];
    else
        update public.servers set tags = array_replace(tags, old.name, new.name) where tags @> array[old.name];
    end if;
    return null;
end
$$;
revoke execute on function public.follow_tag_name() from public;

drop trigger if exists server_tags_follow_renamed on public.server_tags;
create trigger server_tags_follow_renamed after update of name on public.server_tags
for each row when (old.name is distinct from new.name) execute function public.follow_tag_name();

drop trigger if exists server_tags_follow_deleted on public.server_tags;
create trigger server_tags_follow_deleted after delete on public.server_tags
for each row execute function public.follow_tag_name();
