-- The knobs of the site. Values are JSON text, as the settings page writes them; everyone may read them.
create table public.site_settings (
    setting_key text primary key,
    setting_value text not null,
    updated_at timestamptz not null default now(),
    updated_by uuid references public.profiles (id) on delete set null,
    constraint site_settings_key_shape check (setting_key ~ '^[a-z][a-z0-9_]{1,62}$'),
    constraint site_settings_value_length check (char_length(setting_value) <= 10000)
);

alter table public.site_settings enable row level security;
