-- Functions of check constraints, called directly for values that another constraint on the column would refuse first.
\ir ../setup.sql

select is(app.is_email(repeat('a', 254 - length('@mail.test')) || '@mail.test'), true, 'an address of 254 characters');
select is(app.is_email(repeat('a', 255 - length('@mail.test')) || '@mail.test'), false, 'an address of 255 characters');
select is(app.is_email(U&'a\202E@mail.test'), false, 'an address that reads in another direction');
select is(app.is_email('süß@mail.test'), true, 'an address in another script');

-- One line of visible text. Joiners within Persian and emoji, a heart, a keycap.
select is(app.is_one_line(a), true, 'one line: ' || a) from unnest(array['', 'Aina & Co. (KL)', 'Größe', '愛子', U&'\0627\0628',
  U&'\0645\06CC\200C\062E', U&'\+01F469\200D\+01F4BB', U&'\2764\FE0F', U&'1\FE0F\20E3', 'a  b']) as a;
select is(app.is_one_line('A' || chr(code) || 'b'), false, 'not one line: ' || to_hex(code))
from unnest(array[1, 9, 10, 13, 31, 127, 133, 160, 173, 847, 1564, 4447, 4448, 5760, 6068, 6155, 6158, 8192, 8202, 8203, 8204, 8205, 8206, 8207, 8232, 8233, 8234, 8238,
  8239, 8287, 8288, 8294, 8297, 8303, 10240, 12288, 12644, 65024, 65039, 65279, 65440, 65529, 65531, 917504, 917569, 918015]) as code;
select is(app.is_one_line(a), false, 'at an end') from unnest(array[U&'\200Dé', U&'é\200D', U&'\FE0Fé']) as a;
select is(app.is_one_line('a', E'\n', 'b'), false, 'each field counts');
select is(app.is_one_line('a', null, 'b'), true, 'a missing field is allowed');

select is(app.one_line(field), clean, 'cleaned') from (values (null, null), ('', ''), ('a  b ', 'a  b '), (U&'\0645\06CC\200C\062E', U&'\0645\06CC\200C\062E'),
  (E' a\n\tb', 'a b'), (U&'\202Ea\200Bb\200D', 'ab'), (U&'\00A0\FEFF', '-')) as texts (field, clean);
select is(app.members_are_one_line('[{"price": "RM\u00a05"}, {"price": null}, "x"]', 'price'), true, 'a formatted price is one line');
select is(app.is_one_line(app.one_line('A' || chr(code))), true, 'one line once it is cleaned: ' || to_hex(code)) from generate_series(1, 65535) as code
where code not between 55296 and 57343 and not app.is_one_line('A' || chr(code));
-- The title of an enquiry is one line, even if it is cut within an emoji.
select is(app.enquiry_title(given), title, 'a title') from (values (E'Two\nreels\u202E', 'Two reels'), (E'\u200B', '-'),
  (repeat('x', 197) || U&'\+01F469\200D\+01F4BB', repeat('x', 197) || U&'\+01F469\200D\+01F4BB'), (repeat('x', 198) || U&'\+01F469\200D\+01F4BB', repeat('x', 198) || U&'\+01F469')) as titles (given, title);

select is(app.is_optional_text('null', 5), true, 'a JSON null is allowed');
select is(app.is_optional_text('"12345"', 5), true, 'a text of the maximum length');
select is(app.is_optional_text('"123456"', 5), false, 'a longer one');
select is(app.is_optional_text('12345', 5), false, 'a number');
select is(app.is_optional_text(null, 5), true, 'a missing member');
select is(app.is_payment_info(value::jsonb), false, 'invalid payment info: ' || value) from unnest(array['"cash"', '5', 'true', '[]']) as value;
select is(app.is_payment_info(null), true, 'no payment info');

\ir ../finish.sql
