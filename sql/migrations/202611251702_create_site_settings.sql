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

-- Every setting the site knows, with the value it starts with.
insert into public.site_settings (setting_key, setting_value)
values
('site_name', '"Palmarès"'),
('site_description', '"Les serveurs de jeu privés, classés par leurs joueurs."'),
('contact_email', '""'),
('total_servers', 'null'),
('all_games_backdrop_url', '"/pictures/backdrop.svg"'),
('site_timezone', '"Europe/Paris"'),
('structured_data_fallback_rating', 'null'),
-- New accounts are taken until somebody says otherwise.
('registration_open', 'true'),
('auto_approve_servers', 'true'),
('base_server_limit', '3'),
('arcade_spot_daily_price_cents', '1000'),
('prestige_pass_votes_per_day', '1000'),
('vote_cooldown_seconds', '7200'),
-- Nought is none. A player who votes for every server there is, every two hours, meets none of them.
('vote_limit_address_hour', '60'),
('vote_limit_address_day', '300'),
('vote_limit_network_hour', '60'),
('vote_limit_server_minute', '1200'),
('competitive_event_finalize_after_hours', '24'),
-- Who sells and who answers for the site, which the law wants told; empty until the operator says.
('seller_name', '""'),
('seller_address', '""'),
('seller_tax_id', '""'),
('publication_director', '""'),
('host_particulars', '""'),
('consumer_mediator', '""');
