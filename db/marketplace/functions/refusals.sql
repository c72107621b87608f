-- Errors for clients. The gateway answers codes such as PT404 with the status 404.

create or replace function app.refuse_if(condition boolean, code text, message text) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if condition then
    raise exception using errcode = code, message = message;
  end if;
end $$;

-- Responds with 429 and Retry-After, in PostgREST's format for errors with response headers.
create or replace function app.refuse_too_many(message text, free_at timestamptz) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  raise sqlstate 'PGRST' using
    message = json_build_object('code', 'PT429', 'message', message)::text,
    detail = json_build_object('status', 429, 'headers', json_build_object(
      'Retry-After', greatest(1, ceil(extract(epoch from free_at - now())))::text))::text;
end $$;

-- For triggers that run as the caller.
grant execute on function app.refuse_if(boolean, text, text), app.refuse_too_many(text, timestamptz) to authenticated;
