-- The function takes the words of the tag now (standing/tag_proposals.sql); two of one name would be ambiguous.
drop function if exists public.approve_tag_proposal(uuid, text);
