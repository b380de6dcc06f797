-- Parts of an object's name, for policies: `avatars/ada/face.png` is in the folders {avatars,ada},
-- its file name is `face.png`, its extension `png`. Each function is a single expression, which the
-- planner can inline.
create or replace function storage.foldername(name text)
returns text[]
language sql
immutable
parallel safe
as $$
    select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;

create or replace function storage.filename(name text)
returns text
language sql
immutable
parallel safe
as $$
    select split_part(name, '/', -1)
$$;

create or replace function storage.extension(name text)
returns text
language sql
immutable
parallel safe
as $$
    select split_part(split_part(name, '/', -1), '.', -1)
$$;

-- The part of a key up to the first delimiter after the prefix: the folder that contains it.
create or replace function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text)
returns text
language sql
immutable
parallel safe
as $$
    select case
        when p_delimiter = '' or position(p_delimiter in substr(p_key, length(p_prefix) + 1)) = 0 then null
        else left(
            p_key,
            length(p_prefix) + position(p_delimiter in substr(p_key, length(p_prefix) + 1)) + length(p_delimiter) - 1
        )
    end
$$;

-- The least text that sorts after every text with this prefix.
create or replace function storage.behind(beginning text)
returns text
language sql
immutable
parallel safe
as $$
    select case
        when beginning = '' then chr(1114111)
        else left(beginning, -1) || chr(ascii(right(beginning, 1)) + 1)
    end
$$;
