revoke all on public.arcade_payments from anon, authenticated, service_role;
grant select on public.arcade_payments to authenticated;
grant all on public.arcade_payments to service_role;

drop policy if exists "people see their own payments" on public.arcade_payments;
create policy "people see their own payments" on public.arcade_payments
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every payment" on public.arcade_payments;
create policy "administrators see every payment" on public.arcade_payments
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.arcade_payments;
create policy "the service does everything" on public.arcade_payments
for all to service_role using (true) with check (true);

-- Ties the payment of a spot to the provider's session, once; whether there was one to tie.
create or replace function public.set_arcade_payment_session(p_spot_id uuid, p_session_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    update public.arcade_payments set session_id = p_session_id
    where spot_id = p_spot_id and session_id is null;
    return found;
end
$$;

-- True when the spot is the payer's. A replay changes nothing; money for days that lapsed and were
-- taken by somebody else meanwhile answers 23P01, and the payment stays to be refunded.
create or replace function public.confirm_arcade_payment(p_session_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_spot_id uuid;
begin
    update public.arcade_payments set status = 'paid', paid_at = now()
    where session_id = p_session_id and status in ('pending', 'failed')
    returning spot_id into v_spot_id;
    if not found then
        return false;
    end if;
    update public.arcade_spots
    set status = case when start_date <= public.site_today() then 'active' else 'paid' end, lapses_at = null
    where id = v_spot_id and status in ('pending', 'expired');
    return found;
end
$$;

revoke execute on function
    public.set_arcade_payment_session(uuid, text), public.confirm_arcade_payment(text)
from public;
grant execute on function public.confirm_arcade_payment(text) to service_role;
