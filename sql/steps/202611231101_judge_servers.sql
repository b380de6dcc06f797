-- What an administrator decided of a listing: when it was refused, and the words its owner reads.
alter table public.servers
add column refused_at timestamptz,
add column moderation_reason text,
add constraint servers_moderation_reason_length check (char_length(moderation_reason) between 1 and 1000);

update public.servers as s
set refused_at = m.created_at
from public.moderation_marks as m
where m.subject_id = s.id and m.decision = 'server_refused' and not s.is_approved;

-- In the orders the administrators' table asks for.
create index servers_all_by_age_idx on public.servers (created_at desc nulls last, id);
create index servers_all_by_edit_idx on public.servers (updated_at desc nulls last, id);
create index servers_all_by_name_idx on public.servers (name, id);
create index servers_waiting_idx on public.servers (created_at) where not is_approved and refused_at is null;
