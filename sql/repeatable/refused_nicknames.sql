-- Nicknames that nobody may vote with. Only administrators read and write the list, because it
-- would tell others how to evade it.
revoke all on public.refused_nicknames from anon, authenticated, service_role;
grant select, insert (pattern, game_id, reason, expires_at), update (pattern, game_id, reason, expires_at), delete
on public.refused_nicknames to authenticated;
grant all on public.refused_nicknames to service_role;

drop policy if exists "administrators keep the list" on public.refused_nicknames;
create policy "administrators keep the list" on public.refused_nicknames
for all to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.refused_nicknames;
create policy "the service does everything" on public.refused_nicknames
for all to service_role using (true) with check (true);

-- The pattern to which votes are compared: its parts are folded like names, so that no part has a
-- wildcard of `like`, and each row of stars becomes `%`.
create or replace function public.fold_name_pattern(p_pattern text) returns text
language sql immutable strict
as $$
    select coalesce(regexp_replace(string_agg(public.name_key(part), '%' order by place), '%+', '%', 'g'), '')
    from unnest(string_to_array(p_pattern, '*')) with ordinality as parts (part, place)
$$;

create or replace function public.fold_refused_nickname() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    -- The column's check constraint comes after this trigger.
    if char_length(new.pattern) > 60 then
        raise exception 'A pattern has 2 to 60 characters'
        using errcode = '23514', constraint = 'refused_nicknames_pattern_length';
    end if;
    new.folded := public.fold_name_pattern(new.pattern);
    if tg_op = 'INSERT' then
        new.refused_by := coalesce((select id from public.profiles where id = auth.uid()), new.refused_by);
    end if;
    return new;
end
$$;

drop trigger if exists refused_nicknames_fold on public.refused_nicknames;
create trigger refused_nicknames_fold before insert or update on public.refused_nicknames
for each row execute function public.fold_refused_nickname();

revoke execute on function public.fold_name_pattern(text), public.fold_refused_nickname() from public;
