create policy "people put photos below their own folder" on storage.objects for insert to authenticated
with check (bucket_id = 'photos' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people read their photos" on storage.objects for select to authenticated
using (bucket_id = 'photos' and (storage.foldername(name))[1] = (select auth.uid())::text);

create policy "members read their channel" on realtime.messages for select to authenticated
using ((select realtime.topic()) = 'shop:' || (select auth.uid())::text);

create schema warehouse;
grant usage on schema warehouse to anon, authenticated, service_role;
alter default privileges for role postgres in schema warehouse grant all on tables to service_role;
create table warehouse.shelves (id integer primary key, product uuid references public.products);

create function public.tell_of_order() returns trigger
language plpgsql security definer
as $$
begin
    perform realtime.broadcast_changes('shop:' || new.buyer::text, tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
    return null;
end;
$$;
create trigger orders_told after insert on public.orders for each row execute function public.tell_of_order();
