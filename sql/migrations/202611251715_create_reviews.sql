-- Ratings with a comment, one per account and listing. An anonymous one hides its author from everybody but the
-- author and the moderators.
create table public.reviews (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    user_id uuid default auth.uid() references public.profiles (id) on delete set null,
    rating integer not null,
    comment text not null,
    is_anonymous boolean not null default false,
    is_hidden boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint reviews_author_key unique (server_id, user_id),
    constraint reviews_rating check (rating between 1 and 5),
    -- Escaping lengthens a text up to sixfold; the limit people are told is checked before it.
    constraint reviews_comment_length check (char_length(btrim(comment)) >= 1 and char_length(comment) <= 12000)
);

alter table public.reviews enable row level security;

create index reviews_of_server_idx on public.reviews (server_id, created_at desc);
create index reviews_of_author_idx on public.reviews (user_id);

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
