-- Cleaning and unescaping of texts that people write, and slugs.

-- Undoes the escapes that clean_text makes, once.
create or replace function public.plain_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
    select replace(replace(replace(replace(replace(replace(
        p_text, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#x27;', ''''), '&#39;', ''''), '&amp;', '&')
$$;

create or replace function public.escape_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
    select replace(replace(replace(replace(replace(
        p_text, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#x27;')
$$;

-- Removes forbidden markup in one pass: elements that load or run something, script URLs, event
-- handlers.
create or replace function public.strip_forbidden_markup(p_text text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
    v_text text := p_text;
    v_element text;
begin
    foreach v_element in array array['script', 'iframe', 'object', 'applet'] loop
        if v_text ~* ('</\s*' || v_element) then
            v_text := regexp_replace(
                v_text, '<\s*?' || v_element || '\y[^>]*?>.*?</\s*?' || v_element || '\s*?>', '', 'gi'
            );
        end if;
    end loop;
    v_text := regexp_replace(v_text, '<\s*/?\s*(script|iframe|object|embed|applet|link)\y[^>]*>?', '', 'gi');
    v_text := regexp_replace(
        v_text, '(j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:', '', 'gi'
    );
    v_text := regexp_replace(v_text, 'data\s*:\s*text/html[^,\s"''<>]*,?', '', 'gi');
    v_text := regexp_replace(
        v_text, '([\s/"''])on[a-z]{3,}\s*=\s*("[^"]*"|''[^'']*''|[^\s>"'']*)', '\1', 'gi'
    );
    return regexp_replace(v_text, 'expression\(', '', 'gi');
end
$$;

-- Text as it is stored: without forbidden markup, then escaped. Cleaning a cleaned text changes
-- nothing.
create or replace function public.clean_text(p_text text) returns text
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
    v_text text := public.plain_text(p_text);
    v_before text;
begin
    v_text := regexp_replace(replace(v_text, e'\r\n', e'\n'), '[\x01-\x08\x0b-\x1f\x7f]', '', 'g');
    -- A removed piece can join two others into new markup, so passes repeat until nothing is found.
    for pass in 1..12 loop
        v_before := v_text;
        v_text := public.strip_forbidden_markup(v_text);
        exit when v_text = v_before;
    end loop;
    if v_text <> v_before then
        raise exception 'The text nests forbidden markup too deeply' using errcode = '23514';
    end if;
    return public.escape_text(v_text);
end
$$;

-- The slug of a text, with accents removed: "Médiéval" becomes "medieval".
create or replace function public.slugify(p_text text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
    select btrim(
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    regexp_replace(
                        replace(replace(replace(translate(
                            lower(btrim(p_text)),
                            'àáâãäåāăąÀÁÂÃÄÅçćčÇďđðéèêëēėęěÉÈÊËíìîïīÍÌÎÏłľñńňÑóòôõöøōőÓÒÔÕÖØřśšşťúùûüůűūÚÙÛÜýÿžźż',
                            'aaaaaaaaaaaaaaacccc' || 'ddd' || 'eeeeeeeeeeee' || 'iiiiiiiii' || 'll' || 'nnnn'
                            || 'oooooooooooooo' || 'rssst' || 'uuuuuuuuuuu' || 'yyzzz'
                        ), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
                        '[''’():]', '', 'g'
                    ),
                    '\s+', '-', 'g'
                ),
                '[^a-z0-9_-]', '', 'g'
            ),
            '-+', '-', 'g'
        ),
        '-'
    )
$$;

revoke execute on function
    public.plain_text(text), public.escape_text(text), public.strip_forbidden_markup(text), public.clean_text(text),
    public.slugify(text)
from public;
grant execute on function public.plain_text(text), public.slugify(text), public.clean_text(text) to service_role;
