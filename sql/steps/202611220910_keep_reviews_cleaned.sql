-- A comment is stored as other texts are: cleaned and escaped. Escaping lengthens it up to sixfold; the limit people
-- are told is checked before it.
alter table public.reviews
drop constraint reviews_comment_length,
add constraint reviews_comment_length check (char_length(btrim(comment)) >= 1 and char_length(comment) <= 12000);

-- What was stored before is taken literally, so it is escaped first. A site that is being made has neither rows nor
-- the function.
do $$
begin
    if exists (select from public.reviews) then
        alter table public.reviews disable trigger user;
        update public.reviews
        set comment = coalesce(nullif(btrim(public.clean_text(public.escape_text(comment))), ''), '…');
        alter table public.reviews enable trigger user;
    end if;
end
$$;
