revoke all on public.prestige_pricing from anon, authenticated, service_role;
grant select on public.prestige_pricing to anon, authenticated;
grant insert, update, delete on public.prestige_pricing to authenticated;
grant all on public.prestige_pricing to service_role;

drop policy if exists "everyone sees the prices" on public.prestige_pricing;
create policy "everyone sees the prices" on public.prestige_pricing
for select to anon, authenticated using (true);

drop policy if exists "administrators set the prices" on public.prestige_pricing;
create policy "administrators set the prices" on public.prestige_pricing
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.prestige_pricing;
create policy "the service does everything" on public.prestige_pricing
for all to service_role using (true) with check (true);

drop trigger if exists prestige_pricing_touch on public.prestige_pricing;
create trigger prestige_pricing_touch before update on public.prestige_pricing
for each row execute function public.touch_updated_at();

-- The total in cents; null if no tier applies to so few days.
create or replace function public.calculate_prestige_price(p_days integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
    if p_days is null or p_days not between 1 and 3650 then
        raise exception 'The number of days must be between 1 and 3650' using errcode = '22023', detail = 'no_price';
    end if;
    return (
        select p_days * unit_price_cents
        from public.prestige_pricing
        where min_days <= p_days
        order by min_days desc
        limit 1
    );
end
$$;
revoke execute on function public.calculate_prestige_price(integer) from public;
grant execute on function public.calculate_prestige_price(integer) to anon, authenticated, service_role;
