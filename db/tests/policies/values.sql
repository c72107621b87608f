-- The checks on values where the column tests can't show them, because another check fires first.
\ir ../setup.sql

select is(app.is_email(repeat('a', 254 - length('@mail.test')) || '@mail.test'), true, 'an address of 254 characters');
select is(app.is_email(repeat('a', 255 - length('@mail.test')) || '@mail.test'), false, 'an address of 255 characters');
select is(app.is_optional_text('null', 5), true, 'null is no text');
select is(app.is_optional_text('"12345"', 5), true, 'a text as long as may be');
select is(app.is_optional_text('"123456"', 5), false, 'a longer one');
select is(app.is_optional_text('12345', 5), false, 'a number');
select is(app.is_optional_text(null, 5), true, 'a member that is not there');
select is(app.is_payment_info(value::jsonb), false, 'no ways of being paid: ' || value) from unnest(array['"cash"', '5', 'true', '[]']) as value;
select is(app.is_payment_info(null), true, 'no way of being paid');

\ir ../finish.sql
