-- What an event is called and what is said of it, in the reader's language. `name` and `description` are the French, which
-- stands in where a translation is missing; `name_fr` and `description_fr` are the same under the names that go with the
-- others.
alter table public.competitive_events
add column name_fr text generated always as (name) stored,
add column name_en text,
add column name_es text,
add column description_fr text generated always as (description) stored,
add column description_en text,
add column description_es text,
add constraint competitive_events_translations check (
    coalesce(char_length(btrim(name_en)) between 1 and 120, true)
    and coalesce(char_length(btrim(name_es)) between 1 and 120, true)
    and coalesce(char_length(description_en) <= 4000, true)
    and coalesce(char_length(description_es) <= 4000, true)
);
