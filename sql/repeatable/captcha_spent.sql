-- Only the site itself writes and reads this table; no role reaches it over REST.
revoke all on public.captcha_spent from public, anon, authenticated, service_role;
