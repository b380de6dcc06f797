create table lending.loans (
    work catalogue.isbn not null references catalogue.works,
    reader uuid not null default auth.uid() references auth.users on delete cascade,
    during tstzrange not null default tstzrange(now(), now() + interval '14 days'),
    primary key (work)
);
alter table lending.loans enable row level security;
grant select, insert, delete on lending.loans to authenticated;
create policy "readers have their loans" on lending.loans to authenticated
using (reader = (select auth.uid())) with check (reader = (select auth.uid()));

create table internal.history (
    work text, at timestamptz default now()
);
create function internal.remember() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    insert into internal.history (work) values (new.work);
    return new;
end
$$;
create trigger loan_is_remembered after insert on lending.loans
for each row execute function internal.remember();

-- What is lent, without who has it.
create view catalogue.shelf as
select w.isbn, w.title, exists (select from lending.loans as l where l.work = w.isbn) as is_lent
from catalogue.works as w;

create function lending.how_often(isbn text) returns bigint
language sql stable security definer set search_path = ''
as $$ select count(*) from internal.history as h where h.work = how_often.isbn $$;
