-- What payers have to be told: written with what it is about, taken by whoever writes the mails.
revoke all on public.payment_notices from anon, authenticated, service_role;

create or replace function public.notify_payer(
    p_payment_id uuid, p_kind text, p_receipt_number bigint, p_amount_cents integer
) returns void
language sql security definer set search_path = ''
as $$
    insert into public.payment_notices (payment_id, kind, receipt_number, amount_cents)
    values (p_payment_id, p_kind, p_receipt_number, p_amount_cents)
$$;

-- Takes so many notices away, each with all its mail says. Whoever takes them writes the mails in the same transaction.
-- Nobody is told whose account is gone. The days are those that were ordered, which a withdrawal from the contract
-- leaves as they were, whatever became of the spot.
create or replace function public.take_payment_notices(p_rows integer) returns table (
    kind text, email text, language text, payment_id uuid, purchase text, server_name text, spot_position integer,
    start_date date, end_date date, days integer, amount_cents integer, currency text, refund_reason text,
    receipt_number bigint, session_id text
)
language sql security definer set search_path = ''
as $$
    with taken as (
        delete from public.payment_notices as n
        where n.id in (
            select due.id from public.payment_notices as due order by due.id limit p_rows for update skip locked
        )
        returning n.*
    )
    select
        n.kind, u.email, p.language, p.id, p.kind, s.name, a.position, a.start_date, a.start_date + p.days - 1, p.days,
        n.amount_cents, p.currency, p.refund_reason, n.receipt_number, p.session_id
    from taken as n
    inner join public.payments as p on p.id = n.payment_id
    inner join public.profiles as u on u.id = p.user_id
    left join public.servers as s on s.id = p.server_id
    left join public.arcade_spots as a on a.id = p.spot_id
    where u.email <> ''
    order by n.id
$$;

revoke execute on function
    public.notify_payer(uuid, text, bigint, integer), public.take_payment_notices(integer)
from public;
grant execute on function public.take_payment_notices(integer) to service_role;
