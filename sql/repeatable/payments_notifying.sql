-- Enqueues an email to the payer about a change of a payment. Amount, receipt and reason are those
-- of this transaction, even if the payment changes before the email is sent.
create or replace function public.notify_payer(
    p_payment_id uuid, p_kind text, p_receipt_number bigint, p_amount_cents integer
) returns void
language sql security definer set search_path = ''
as $$
    select public.enqueue_mail(
        'payment', p_payment_id,
        jsonb_build_object(
            'kind', p_kind, 'receipt_number', p_receipt_number, 'amount_cents', p_amount_cents,
            'refund_reason', (select p.refund_reason from public.payments as p where p.id = p_payment_id)
        ),
        now()
    )
$$;

revoke execute on function public.notify_payer(uuid, text, bigint, integer) from public;
