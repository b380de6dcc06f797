-- What the owner of a listing answers to a review: one answer each. The listing is noted so that policies need not look
-- for it; a trigger does so.
create table public.review_answers (
    review_id uuid primary key references public.reviews (id) on delete cascade,
    server_id uuid not null references public.servers (id) on delete cascade,
    comment text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Escaping lengthens a text up to sixfold; the limit people are told is checked before it.
    constraint review_answers_comment_length check (char_length(btrim(comment)) >= 1 and char_length(comment) <= 6000)
);

alter table public.review_answers enable row level security;

create index review_answers_of_server_idx on public.review_answers (server_id);
