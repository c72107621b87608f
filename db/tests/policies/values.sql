-- Functions of check constraints, called directly for values that another constraint on the column would refuse first.
\ir ../setup.sql

select is(app.is_email(repeat('a', 254 - length('@mail.test')) || '@mail.test'), true, 'an address of 254 characters');
select is(app.is_email(repeat('a', 255 - length('@mail.test')) || '@mail.test'), false, 'an address of 255 characters');
select is(app.is_optional_text('null', 5), true, 'a JSON null is allowed');
select is(app.is_optional_text('"12345"', 5), true, 'a text of the maximum length');
select is(app.is_optional_text('"123456"', 5), false, 'a longer one');
select is(app.is_optional_text('12345', 5), false, 'a number');
select is(app.is_optional_text(null, 5), true, 'a missing member');
select is(app.is_payment_info(value::jsonb), false, 'invalid payment info: ' || value) from unnest(array['"cash"', '5', 'true', '[]']) as value;
select is(app.is_payment_info(null), true, 'no payment info');

\ir ../finish.sql
