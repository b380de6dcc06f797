-- The tags listings may wear (servers.tags holds their names) and the ones people propose.
create table public.server_tags (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text,
    color text not null,
    name_fr text not null,
    name_en text not null,
    name_es text not null,
    description_fr text,
    description_en text,
    description_es text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint server_tags_name_key unique (name),
    constraint server_tags_name_length check (char_length(btrim(name)) between 1 and 30),
    constraint server_tags_description_length check (char_length(description) <= 200),
    constraint server_tags_color check (color in (
        '#3B82F6', '#EF4444', '#10B981', '#F59E0B', '#8B5CF6', '#EC4899', '#14B8A6', '#F97316', '#84CC16', '#6366F1'
    ))
);

alter table public.server_tags enable row level security;

create table public.tag_proposals (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text,
    color text not null,
    proposed_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
    status text not null default 'pending',
    admin_notes text,
    reviewed_by uuid references public.profiles (id) on delete set null,
    reviewed_at timestamptz,
    tag_id uuid references public.server_tags (id) on delete set null,
    created_at timestamptz not null default now(),
    constraint tag_proposals_name_length check (char_length(name) <= 30 and char_length(btrim(name)) >= 1),
    constraint tag_proposals_description_length check (char_length(description) <= 200),
    constraint tag_proposals_color check (color in (
        '#3B82F6', '#EF4444', '#10B981', '#F59E0B', '#8B5CF6', '#EC4899', '#14B8A6', '#F97316', '#84CC16', '#6366F1'
    )),
    constraint tag_proposals_status check (status in ('pending', 'approved', 'rejected')),
    constraint tag_proposals_admin_notes_length check (char_length(admin_notes) <= 1000)
);

alter table public.tag_proposals enable row level security;

create index tag_proposals_newest_idx on public.tag_proposals (created_at desc);
create index tag_proposals_proposer_idx on public.tag_proposals (proposed_by);
