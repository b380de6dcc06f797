create table pages (id bigint generated always as identity primary key, title text not null);
