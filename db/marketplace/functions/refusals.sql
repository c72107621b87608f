-- Errors for clients. The gateway answers codes such as PT404 with the status 404.

-- `rule` is the constraint of `relation` that such a row would violate.
create or replace function app.refuse_if(condition boolean, code text, message text, relation text default null, rule text default null)
returns void language plpgsql stable as $$
begin
  if condition and rule is null then
    raise exception using errcode = code, message = message;
  elsif condition then
    raise exception using errcode = code, message = message, constraint = rule, table = relation;
  end if;
end $$;

-- Responds with 429 and Retry-After, in PostgREST's format for errors with response headers, unless `free_at` is null.
create or replace function app.refuse_too_many(message text, free_at timestamptz) returns void language plpgsql stable as $$
begin
  if free_at is not null then
    raise sqlstate 'PGRST' using
      message = json_build_object('code', 'PT429', 'message', message)::text,
      detail = json_build_object('status', 429, 'headers', json_build_object(
        'Retry-After', greatest(1, ceil(extract(epoch from free_at - now())))::text))::text;
  end if;
end $$;

-- For triggers that run as the caller.
grant execute on function app.refuse_if(boolean, text, text, text, text), app.refuse_too_many(text, timestamptz) to authenticated,
  service_role;
