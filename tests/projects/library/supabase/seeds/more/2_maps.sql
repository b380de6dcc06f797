insert into catalogue.works (isbn, kind, title) values ('9780000000003', 'map', 'Harbours and lighthouses');
