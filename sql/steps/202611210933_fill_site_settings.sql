-- Every setting the site knows, with the value it starts with.
insert into public.site_settings (setting_key, setting_value)
values
('site_name', '"Palmarès"'),
('site_description', '"Les serveurs de jeu privés, classés par leurs joueurs."'),
('contact_email', '""'),
('total_servers', 'null'),
('all_games_backdrop_url', '"/pictures/backdrop.svg"'),
('auto_approve_servers', 'true'),
('arcade_spot_daily_price_cents', '1000'),
('vote_cooldown_seconds', '7200'),
('site_timezone', '"Europe/Paris"'),
('base_server_limit', '3'),
('prestige_pass_votes_per_day', '1000'),
('structured_data_fallback_rating', 'null')
on conflict do nothing;
