revoke all on public.prestige_payments from anon, authenticated, service_role;
grant select on public.prestige_payments to authenticated;
grant all on public.prestige_payments to service_role;

drop policy if exists "people see their own payments" on public.prestige_payments;
create policy "people see their own payments" on public.prestige_payments
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every payment" on public.prestige_payments;
create policy "administrators see every payment" on public.prestige_payments
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.prestige_payments;
create policy "the service does everything" on public.prestige_payments
for all to service_role using (true) with check (true);

-- The amount is the price list's, never the browser's. Only the owner promotes a listing.
create or replace function public.open_prestige_payment(
    p_user_id uuid, p_server_id uuid, p_days integer, p_provider text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_amount integer := public.calculate_prestige_price(p_days);
    v_payment_id uuid;
begin
    if not exists (select from public.servers where id = p_server_id and owner_id = p_user_id) then
        raise exception 'Only the owner of the server may do this' using errcode = '42501';
    elsif v_amount is null then
        raise exception 'There is no price for % days', p_days using errcode = '22023';
    end if;
    insert into public.prestige_payments (server_id, user_id, days, unit_price_cents, amount_cents, provider)
    values (p_server_id, p_user_id, p_days, v_amount / p_days, v_amount, p_provider)
    returning id into v_payment_id;
    return v_payment_id;
end
$$;

-- Ties a payment of either kind to the provider's session, once.
create or replace function public.set_payment_session(p_payment_id uuid, p_session_id text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    update public.prestige_payments set session_id = p_session_id where id = p_payment_id and session_id is null;
    if not found and not public.set_arcade_payment_session(p_payment_id, p_session_id) then
        raise exception 'No such open payment' using errcode = 'P0002';
    end if;
end
$$;

-- True the first time only: a replayed confirmation changes nothing.
create or replace function public.confirm_prestige_payment(p_session_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_payment public.prestige_payments;
begin
    update public.prestige_payments set status = 'paid', paid_at = now()
    where session_id = p_session_id and status in ('pending', 'failed')
    returning * into v_payment;
    if not found then
        return false;
    end if;
    if v_payment.server_id is not null then
        perform public.extend_prestige(v_payment.server_id, v_payment.days, v_payment.id);
    end if;
    return true;
end
$$;

revoke execute on function
    public.open_prestige_payment(uuid, uuid, integer, text), public.set_payment_session(uuid, text),
    public.confirm_prestige_payment(text)
from public;
grant execute on function
    public.open_prestige_payment(uuid, uuid, integer, text), public.set_payment_session(uuid, text),
    public.confirm_prestige_payment(text)
to service_role;
