insert into public.boats (name) values ('Argo'), ('Beagle');
