-- Votes that were taken back: what is left of them is what nobody's reward or place follows from.
create table public.voided_votes (
    id uuid primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    voted_at timestamptz not null,
    reason text not null references public.vote_reasons (code),
    note text,
    voided_by uuid references public.profiles (id) on delete set null,
    voided_at timestamptz not null,
    constraint voided_votes_note_length check (char_length(note) <= 500)
);
alter table public.voided_votes enable row level security;

create index voided_votes_server_idx on public.voided_votes (server_id, voted_at desc);
create index voided_votes_old_idx on public.voided_votes (voted_at);
-- What a vote spent is found when it is taken back.
create index vote_tickets_vote_idx on public.vote_tickets (vote_id) where vote_id is not null;

create index voided_votes_by_idx on public.voided_votes (voided_by) where voided_by is not null;
