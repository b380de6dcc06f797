-- Who sells and who answers for the site, which the law wants told; empty until the operator says.
insert into public.site_settings (setting_key, setting_value)
values
('seller_name', '""'),
('seller_address', '""'),
('seller_tax_id', '""'),
('publication_director', '""'),
('host_particulars', '""'),
('consumer_mediator', '""')
on conflict do nothing;
