-- Our own: calls a function that an operator named in the settings, with and for one JSON value. Only the owner may,
-- since it runs whatever it is told to.
create or replace function auth.run_hook(hook text, payload jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
    target regproc := pg_catalog.to_regproc(hook);
    answer jsonb;
begin
    if target is null then
        raise exception 'the hook % names no single function', hook;
    end if;
    execute pg_catalog.format('select %s($1)', target) into answer using payload;
    return answer;
end
$$;

revoke all on function auth.run_hook(text, jsonb) from public;
