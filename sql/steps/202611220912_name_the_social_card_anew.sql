-- The site's card, which stands in for a picture whose address was not allowed, is a JPEG now: a
-- tenth of the size.
update public.arcade_spots
set image_url = '/pictures/social-card.jpg'
where image_url = '/pictures/social-card.png';
