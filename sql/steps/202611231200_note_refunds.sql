-- Why an administrator gave money back, in their words; and when the provider said that money it had sent back did not
-- arrive, so that a person has to see to it.
alter table public.payments
add column refund_note text,
add column refund_failed_at timestamptz,
add constraint payments_refund_note check (char_length(refund_note) between 1 and 500);

create index payments_failed_refund_idx on public.payments (refund_failed_at) where refund_failed_at is not null;
