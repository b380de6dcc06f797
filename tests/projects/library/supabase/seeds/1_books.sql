insert into catalogue.works (isbn, title) values
('9780000000001', 'Lighthouses of the north'),
('9780000000002', 'On keeping bees');
