-- Functions that constraints and generated columns call. As in 00_text.sql, a change needs a step that goes through the rows.
set local role serasi_owner;

-- What somebody typed as a number of followers: '2.5M', '10K', '1,200'. What can't be read is 0.
create function app.follower_count(typed text) returns bigint
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case
    when typed is null then 0
    when typed !~ '^\s*[0-9][0-9,]{0,11}(\.[0-9]{1,6})?\s*[kKmM]?\+?\s*$' then 0
    else trunc(
      replace(substring(typed from '[0-9][0-9,]*\.?[0-9]*'), ',', '')::numeric
      * case when typed ~ '[kK]' then 1000 when typed ~ '[mM]' then 1000000 else 1 end
    )::bigint
  end
$$;

-- An address that a visitor may be sent to: http or https, a real host name, not the inside of a network.
create function app.is_web_link(link text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select link = '' or (
    char_length(link) <= 2000
    and link ~* '^https?://([^\s/?#@:\\"''<>\[\]]+\.)+[^\s/?#@:\\"''<>\[\].]+(:[0-9]{1,5})?([/?#][^\s"''<>\\]*)?$'
    and link !~* '^https?://(0|10|127|169\.254|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\.'
  )
$$;

-- A picture: in our own bucket (from the root, so that it survives another port) or at any http(s) address.
create function app.is_image_url(url text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select url = '' or (
    char_length(url) <= 2000
    and url ~ '^(https?://[^\s"''<>\\@]+|/storage/v1/object/public/images/[^\s"''<>\\?#]+)$'
    and url !~ '(^|/)\.\.(/|$)'
  )
$$;

create function app.is_optional_text(value jsonb, max_length integer) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select value is null or jsonb_typeof(value) = 'null'
    or (jsonb_typeof(value) = 'string' and char_length(value #>> '{}') <= max_length)
$$;

-- [{title or name, description, price}]
create function app.is_service_list(list jsonb) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case
    when list = '[]' then true
    when jsonb_typeof(list) <> 'array' or jsonb_array_length(list) > 30 or octet_length(list::text) > 32768 then false
    else not exists (
      select from jsonb_array_elements(list) as entry
      where jsonb_typeof(entry) <> 'object'
        or coalesce(btrim(coalesce(nullif(entry ->> 'title', ''), entry ->> 'name')), '') = ''
        or not app.is_optional_text(entry -> 'title', 100)
        or not app.is_optional_text(entry -> 'name', 100)
        or not app.is_optional_text(entry -> 'description', 1000)
        or not app.is_optional_text(entry -> 'price', 50)
    )
  end
$$;

-- ["url" or {image_url, title}], at most 8
create function app.is_post_list(list jsonb) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case
    when list = '[]' then true
    when jsonb_typeof(list) <> 'array' then false
    else not exists (
      select from jsonb_array_elements(list) as entry
      where case jsonb_typeof(entry)
        when 'string' then not app.is_image_url(entry #>> '{}') or entry = '""'
        when 'object' then coalesce(jsonb_typeof(entry -> 'image_url') <> 'string', true)
          or entry ->> 'image_url' = ''
          or not app.is_image_url(entry ->> 'image_url')
          or not app.is_optional_text(entry -> 'title', 200)
          or octet_length(entry::text) > 4096
        else true
      end
    )
  end
$$;

create function app.is_image_list(list text[]) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_ndims(list), 1) = 1
    and not exists (select from unnest(list) as url where url is null or url = '' or not app.is_image_url(url))
$$;

create function app.is_payment_info(info jsonb) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select info is null or (
    jsonb_typeof(info) = 'object'
    and info - array['payment_method', 'bank_name', 'account_number', 'account_holder', 'paypal_email', 'payment_notes'] = '{}'
    and coalesce(info ->> 'payment_method', '') in ('', 'bank', 'paypal', 'both')
    and app.is_optional_text(info -> 'payment_method', 10)
    and app.is_optional_text(info -> 'bank_name', 100)
    and app.is_optional_text(info -> 'account_number', 50)
    and app.is_optional_text(info -> 'account_holder', 100)
    and app.is_optional_text(info -> 'paypal_email', 254)
    and app.is_optional_text(info -> 'payment_notes', 1000)
  )
$$;

create function app.is_subscription_date(moment timestamptz) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select moment is null or moment between '2000-01-01 00:00:00+00' and '2200-01-01 00:00:00+00'
$$;

-- Whether these members of an object, or of every object in a list, are one line. They may contain no-break spaces, because
-- JavaScript formats prices with them.
create function app.members_are_one_line(value jsonb, variadic members text[]) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select app.is_one_line(variadic array(
    select translate(entry ->> member, U&'\00A0', ' ')
    from jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) as entry, unnest(members) as member))
$$;

-- A check runs with the privileges of the role that writes the row.
grant execute on function
  app.follower_count(text), app.is_web_link(text), app.is_image_url(text), app.is_optional_text(jsonb, integer), app.is_service_list(jsonb),
  app.is_post_list(jsonb), app.is_image_list(text[]), app.is_payment_info(jsonb), app.is_subscription_date(timestamptz),
  app.members_are_one_line(jsonb, text[])
to authenticated, service_role;
