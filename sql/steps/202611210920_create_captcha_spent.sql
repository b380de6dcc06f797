-- Answers to challenges that were accepted, until their challenge would have ended: the unique key
-- is what makes an answer worth one vote, whichever process it is shown to.
create table public.captcha_spent (
  nonce text primary key check (char_length(nonce) between 16 and 128),
  expires_at timestamptz not null
);

alter table public.captcha_spent enable row level security;

create index captcha_spent_expires_at_idx on public.captcha_spent (expires_at);
