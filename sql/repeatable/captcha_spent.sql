-- Only the site itself writes and reads here; nobody reaches it over REST.
revoke all on public.captcha_spent from public, anon, authenticated, service_role;
