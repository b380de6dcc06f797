-- Not in the original: calls a function that the operator's settings name, with a JSON argument and
-- a JSON result. Only the owner may call it, because it runs any function.
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
