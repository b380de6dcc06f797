-- The secret a game server's plugin asks the vote API with. One per listing, replaced when it is regenerated.
create table public.server_api_tokens (
    server_id uuid primary key references public.servers (id) on delete cascade,
    token text not null,
    created_at timestamptz not null default now(),
    constraint server_api_tokens_token_key unique (token),
    constraint server_api_tokens_token_length check (char_length(token) between 32 and 128)
);

alter table public.server_api_tokens enable row level security;
