-- The outbox of emails. Only the worker, which is the owner, reads it.
revoke all on public.mail_queue from anon, authenticated, service_role;

-- Enqueues an email about a subject. The email is rendered when it is due, from the current rows;
-- `p_facts` holds the values that must not change on a retry.
create or replace function public.enqueue_mail(
    p_kind text, p_subject_id uuid, p_facts jsonb, p_at timestamptz, p_wait interval default '0 minutes'
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    insert into public.mail_queue (kind, payload, put_at, due_at)
    values (p_kind, (jsonb_build_object('subject_id', p_subject_id) || p_facts)::json, p_at, p_at + p_wait);
    -- Workers listen to the table's name (compat_pg::Queue).
    perform pg_notify('public.mail_queue', '');
end
$$;

-- Deletes an email about a subject that was not sent yet.
create or replace function public.withdraw_mail(p_kind text, p_subject_id uuid) returns void
language sql security definer set search_path = ''
as $$
    delete from public.mail_queue where kind = p_kind and payload ->> 'subject_id' = p_subject_id::text
$$;

revoke execute on function
    public.enqueue_mail(text, uuid, jsonb, timestamptz, interval), public.withdraw_mail(text, uuid)
from public;
