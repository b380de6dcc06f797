create extension if not exists pgmq;

select pgmq.create('parcels');
select pgmq.create('letters');

-- People put parcels into one queue; the other is the service's alone.
alter table pgmq.q_parcels enable row level security;
grant select, insert, update, delete on pgmq.q_parcels to authenticated;
create policy "people send" on pgmq.q_parcels for insert to authenticated
with check (message ->> 'sender' = (select auth.uid())::text);
create policy "people read their own" on pgmq.q_parcels for select to authenticated
using (message ->> 'sender' = (select auth.uid())::text);

create table public.deliveries (
    parcel bigint primary key,
    address text not null
);
alter table public.deliveries enable row level security;

create function public.deliver(most integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    one pgmq.message_record;
    done integer := 0;
begin
    for one in select * from pgmq.read('parcels', 60, most) loop
        insert into public.deliveries (parcel, address) values (one.msg_id, one.message ->> 'address');
        perform pgmq.archive('parcels', one.msg_id);
        done := done + 1;
    end loop;
    return done;
end
$$;
revoke execute on function public.deliver(integer) from public, anon, authenticated;
