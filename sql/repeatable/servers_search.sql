-- The search for games, tags and listings by a few letters: ignores accents, case and punctuation,
-- and tolerates one typing error.

-- The form of a text that the search compares. The pages fold typed text in the same way
-- (lib/text/fold.ts). No searched text is longer than a thousand letters, and anybody may call
-- this, so the rest of a text is ignored.
create or replace function public.search_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
    select btrim(regexp_replace(
        replace(replace(replace(replace(replace(
            lower(regexp_replace(normalize(left(p_text, 1000), NFKD), '[\u0300-\u036F]', '', 'g')),
            'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'), 'ø', 'o'), 'ł', 'l'),
        '[\s!-/:-@\[-`{-~\u00A0-\u00BF\u2000-\u206F\u3000-\u303F]+', ' ', 'g'
    ))
$$;

create or replace function public.keep_search_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.search_name := ' ' || public.search_text(public.plain_text(new.name));
    return new;
end
$$;

-- The number puts this trigger after the one that cleans the name.
drop trigger if exists servers_80_search_name on public.servers;
create trigger servers_80_search_name before insert or update of name, search_name on public.servers
for each row execute function public.keep_search_name();

update public.servers set search_name = ''
where search_name <> ' ' || public.search_text(public.plain_text(name));

-- The patterns that match a folded text with one mistake: a wrong, missing or additional letter, or
-- two swapped letters. A folded text has no wildcards. There are four patterns for each letter,
-- each as long as the text, so texts of more than thirty letters get none.
create or replace function public.with_one_mistake(p_text text) returns text[]
language sql immutable strict parallel safe set search_path = ''
as $$
    select array_agg(distinct '% ' || mistaken.pattern || '%')
    from generate_series(1, case when char_length(p_text) <= 30 then char_length(p_text) end) as at (i)
    cross join lateral (
        values
        (overlay(p_text placing '_' from at.i for 1)),
        (overlay(p_text placing '' from at.i for 1)),
        (overlay(p_text placing '_' from at.i for 0)),
        (overlay(p_text placing reverse(substr(p_text, at.i, 2)) from at.i for 2))
    ) as mistaken (pattern)
$$;

-- The search uses operators of pg_trgm, whose schema is created with the extension.
do $$
begin
    if exists (select from pg_catalog.pg_namespace where nspname = 'extensions') then
        grant usage on schema extensions to anon, authenticated, service_role;
    end if;
end
$$;

-- At most three games, three tags and five listings, the best first: names that begin with the
-- text, then words that begin with it, then words that contain it; of equal ones the most voted.
-- Texts with one mistake match only if nothing else does. Texts of fewer than two letters match
-- nothing.
create or replace function public.search_site(p_query text, p_language text default 'fr')
returns table (
    kind text,
    id uuid,
    name text,
    slug text,
    page_slug text,
    logo_url text,
    color text,
    description text,
    game_name text,
    servers integer,
    total_votes integer,
    online_players integer,
    max_players integer,
    is_online boolean,
    status_checked_at timestamptz
)
language plpgsql stable
-- The search path includes the operators of pg_trgm. Each text gets its own plan: a good plan for a
-- rare word is bad for a common one.
set search_path = public, extensions, pg_catalog
set plan_cache_mode = force_custom_plan
-- No part of the search may read a whole table.
set enable_seqscan = off
set pg_trgm.word_similarity_threshold = 0.45
as $$
declare
    v_text text;
    v_typo_patterns text[] := '{}';
    v_patterns text[];
    v_pattern text;
    v_server_ids uuid[] := '{}';
    v_more uuid[];
begin
    if char_length(p_query) > 100 then
        raise exception 'The search text is longer than 100 characters' using errcode = '22023';
    end if;
    v_text := public.search_text(p_query);
    if v_text is null or char_length(v_text) < 2 then
        return;
    end if;
    if char_length(v_text) >= 4 then
        v_typo_patterns := coalesce(public.with_one_mistake(v_text), '{}');
    end if;

    return query
    select
        'game', found.id, found.name, found.slug, found.page_slug, found.logo_url, null::text, null::text,
        null::text, found.servers, null::integer, null::integer, null::integer, null::boolean, null::timestamptz
    from (
        select g.*, coalesce(f.servers, 0) as servers, words.folded, rank() over (
            order by words.folded like '% ' || v_text || '%' desc, words.folded like '%' || v_text || '%' desc
        ) as place
        from public.games as g
        left join public.game_figures as f on f.game_id = g.id
        cross join lateral (
            select ' ' || public.search_text(concat_ws(' ', g.name, g.slug, g.shortcut)) as folded
        ) as words
        where
            words.folded like '% ' || v_text || '%' or words.folded like any (v_typo_patterns)
            or char_length(v_text) >= 3 and words.folded like '%' || v_text || '%'
    ) as found
    where found.place = 1
    order by found.folded like ' ' || v_text || '%' desc, found.servers desc, found.sort_order, found.name
    limit 3;

    return query
    select
        'tag', found.id, found.label, found.name, null::text, null::text, found.color, null::text,
        null::text, null::integer, null::integer, null::integer, null::integer, null::boolean, null::timestamptz
    from (
        select
            t.id, t.name, t.color,
            case p_language when 'en' then t.name_en when 'es' then t.name_es else t.name_fr end as label,
            rank() over (order by words.folded like '%' || v_text || '%' desc) as place
        from public.server_tags as t
        cross join lateral (
            select ' ' || public.search_text(concat_ws(' ', t.name, t.name_fr, t.name_en, t.name_es)) as folded
        ) as words
        where words.folded like '% ' || v_text || '%' or words.folded like any (v_typo_patterns)
    ) as found
    where found.place = 1
    order by found.label
    limit 3;

    v_patterns := array[' ' || v_text || '%', '% ' || v_text || '%'];
    -- Two letters in the middle of a word are in no index and say little.
    if char_length(v_text) >= 3 then
        v_patterns := v_patterns || ('%' || v_text || '%');
    end if;
    foreach v_pattern in array v_patterns loop
        exit when cardinality(v_server_ids) >= 5;
        select array_agg(best.id) into v_more
        from (
            select s.id
            from public.servers_public as s
            where s.search_name like v_pattern and s.id <> all (v_server_ids)
            order by s.monthly_votes desc, s.id
            limit 5 - cardinality(v_server_ids)
        ) as best;
        v_server_ids := v_server_ids || coalesce(v_more, '{}');
    end loop;
    if cardinality(v_server_ids) = 0 and char_length(v_text) >= 4
        and to_regproc('word_similarity') is not null then
        select array_agg(best.id) into v_more
        from (
            select s.id
            from (
                select c.id, c.search_name, c.monthly_votes
                from public.servers_public as c
                where c.search_name %> v_text
                limit 200
            ) as s
            order by word_similarity(v_text, s.search_name) desc, s.monthly_votes desc, s.id
            limit 5
        ) as best;
        v_server_ids := coalesce(v_more, '{}');
    end if;

    return query
    select
        'server', s.id, s.name, s.slug, null::text, g.logo_url, null::text, left(s.description, 600),
        g.name, null::integer, s.total_votes, s.online_players, s.max_players, s.is_online, s.status_checked_at
    from unnest(v_server_ids) with ordinality as best (id, place)
    inner join public.servers_public as s on s.id = best.id
    left join public.games as g on g.id = s.game_id
    order by best.place;
end
$$;

revoke execute on function
    public.search_text(text), public.keep_search_name(), public.with_one_mistake(text),
    public.search_site(text, text)
from public;
grant execute on function public.search_text(text), public.with_one_mistake(text), public.search_site(text, text)
to anon, authenticated, service_role;
