-- Receipts and credit notes. Nobody can change one.
revoke all on public.payment_receipts from anon, authenticated, service_role;
grant select on public.payment_receipts to authenticated, service_role;

drop policy if exists "people see their own receipts" on public.payment_receipts;
create policy "people see their own receipts" on public.payment_receipts
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every receipt" on public.payment_receipts;
create policy "administrators see every receipt" on public.payment_receipts
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service sees every receipt" on public.payment_receipts;
create policy "the service sees every receipt" on public.payment_receipts
for select to service_role using (true);

create or replace function public.keep_receipts() returns trigger
language plpgsql set search_path = ''
as $$
begin
    raise exception 'Receipts are neither changed nor removed' using errcode = '42501';
end
$$;

drop trigger if exists payment_receipts_stay on public.payment_receipts;
create trigger payment_receipts_stay before update or delete on public.payment_receipts
for each row execute function public.keep_receipts();
drop trigger if exists payment_receipts_stay_all on public.payment_receipts;
create trigger payment_receipts_stay_all before truncate on public.payment_receipts
for each statement execute function public.keep_receipts();

revoke all on public.payment_receipt_numbers from anon, authenticated, service_role;

-- Issues the next receipt for a purchase (`receipt`) or credit note for a refund (`credit`);
-- returns its number. The price includes tax. The counter's row stays locked until the transaction
-- ends, so this is called last.
create or replace function public.issue_payment_receipt(
    p_payment public.payments, p_kind text, p_amount_cents integer
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
    v_rate integer := greatest(public.setting_integer('tax_basis_points', 0), 0);
    v_number bigint;
begin
    update public.payment_receipt_numbers set last = last + 1 returning last into v_number;
    insert into public.payment_receipts (
        number, kind, payment_id, user_id, buyer_name, buyer_email, issued_at, language, subject, days,
        unit_price_cents, amount_cents, tax_basis_points, tax_cents, currency, seller
    )
    select
        v_number, p_kind, p_payment.id, p_payment.user_id, coalesce(p.username, ''), coalesce(p.email, ''),
        clock_timestamp(), p_payment.language,
        jsonb_strip_nulls(jsonb_build_object(
            'kind', p_payment.kind, 'server', s.name, 'position', a.position, 'starts', a.start_date,
            'ends', a.start_date + p_payment.days - 1,
            'receipt', (
                select min(r.number) from public.payment_receipts as r
                where p_kind = 'credit' and r.payment_id = p_payment.id and r.kind = 'receipt'
            )
        )),
        p_payment.days, p_payment.unit_price_cents, p_amount_cents, v_rate,
        round(p_amount_cents::numeric * v_rate / (10000 + v_rate))::integer,
        p_payment.currency,
        jsonb_build_object(
            'name', public.setting_text('seller_name', ''),
            'address', public.setting_text('seller_address', ''),
            'tax_id', public.setting_text('seller_tax_id', ''),
            'tax_note', public.setting_text('tax_note', '')
        )
    from (select 1) as one
    left join public.profiles as p on p.id = p_payment.user_id
    left join public.servers as s on s.id = p_payment.server_id
    left join public.arcade_spots as a on a.id = p_payment.spot_id;
    return v_number;
end
$$;

revoke execute on function
    public.keep_receipts(), public.issue_payment_receipt(public.payments, text, integer)
from public;
