-- Where payers are sent is an address of the web, whoever wrote it.
alter table public.payments
add constraint payments_session_url check (public.is_web_address(session_url));
alter table public.test_checkouts
add constraint test_checkouts_success_url check (public.is_web_address(success_url)),
add constraint test_checkouts_cancel_url check (public.is_web_address(cancel_url));
