-- Names, titles and addresses are one line of visible text. Otherwise a character that nobody sees, or that changes the direction
-- of text, makes a name look like another account's, and a line break splits mails and lists.
set local role serasi_owner;

-- Rejects control characters, line breaks, spaces other than ' ', marks that change the direction, and invisible characters.
-- Joiners and variation selectors are part of emoji and of some scripts: they are rejected at the ends and next to ASCII.
create function app.is_one_line(variadic fields text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select not exists (
    select from unnest(fields) as field
    where field ~ ('[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]'
      || '|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]'
      || '|(^|[\u0001-\u007f])[\u200c\u200d]|[\u200c\u200d]([\u0001-\u007f]|$)|(^|[A-Za-z _.-])[\ufe00-\ufe0f]'))
$$;

create or replace function app.is_email(address text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select char_length(address) <= 254 and address ~ '^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+\.[^\s@,;:<>()"\\.]+$' and app.is_one_line(address)
$$;

reset role;

-- What is stored already is cleaned. A username that changes gets a part of its id, because the clean one may be in use.
create function pg_temp.one_line(field text) returns text
language sql immutable as $$
  select case when app.is_one_line(field) then field else coalesce(nullif(btrim(regexp_replace(
    regexp_replace(field, '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+', ' ', 'g'),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g')), ''), '-') end
$$;
create function pg_temp.email(address text) returns text
language sql immutable as $$
  select case when app.is_email(address) then address
    when app.is_email(replace(pg_temp.one_line(address), ' ', '')) then replace(pg_temp.one_line(address), ' ', '')
    else 'unknown@example.invalid' end
$$;

update app.influencers set name = pg_temp.one_line(name), category = pg_temp.one_line(category), location = pg_temp.one_line(location),
  language = pg_temp.one_line(language), ethnicity = pg_temp.one_line(ethnicity), height = pg_temp.one_line(height),
  religion = pg_temp.one_line(religion),
  username = case when app.is_one_line(username) then username else left(pg_temp.one_line(username), 41) || '-' || left(id::text, 8) end
where not app.is_one_line(name, username, category, location, language, ethnicity, height, religion);
update app.agencies set name = pg_temp.one_line(name), company_name = pg_temp.one_line(company_name), phone = pg_temp.one_line(phone),
  location = pg_temp.one_line(location), email = pg_temp.email(email)
where not app.is_one_line(name, company_name, phone, location, email);
update app.vendors set name = pg_temp.one_line(name), company_name = pg_temp.one_line(company_name), phone = pg_temp.one_line(phone),
  location = pg_temp.one_line(location), email = pg_temp.email(email)
where not app.is_one_line(name, company_name, phone, location, email);
update app.gigs set title = pg_temp.one_line(title), budget = pg_temp.one_line(budget), duration = pg_temp.one_line(duration)
where not app.is_one_line(title, budget, duration);
update app.enquiries set sender_name = pg_temp.one_line(sender_name), sender_company = pg_temp.one_line(sender_company)
where not app.is_one_line(sender_name, sender_company);
update app.enquiry_briefs set guest_email = null where not app.is_one_line(guest_email);
delete from app.newsletter_subscriptions where not app.is_one_line(email);

drop function pg_temp.email(text);
drop function pg_temp.one_line(text);

set local role serasi_owner;

alter table app.influencers add constraint influencers_visible_text
  check (app.is_one_line(name, username, category, location, language, ethnicity, height, religion));
alter table app.agencies add constraint agencies_visible_text check (app.is_one_line(name, company_name, phone, location));
alter table app.vendors add constraint vendors_visible_text check (app.is_one_line(name, company_name, phone, location));
alter table app.gigs add constraint gigs_visible_text check (app.is_one_line(title, budget, duration));
alter table app.enquiries add constraint enquiries_visible_text check (app.is_one_line(sender_name, sender_company));

reset role;
