-- Reports that users send to the admins, and the admins' decisions.

-- Runs as the caller, so that row security decides what can be reported and what the snapshot contains. The lock serializes
-- the account's requests.
create or replace function app.check_report() returns trigger language plpgsql as $$
begin
  new.reporter_id := auth.uid();
  new.text := nullif(btrim(new.text, E' \t\r\n'), '');
  perform app.check_sender(auth.uid(), 'report anything');
  perform pg_advisory_xact_lock(hashtextextended('app.reports ' || auth.uid(), 0));
  perform app.refuse_if(exists (
    select from app.reports
    where reporter_id = auth.uid() and (kind, subject_id) = (new.kind, new.subject_id) and state in ('open', 'taken')),
    '23505', 'You have already reported this', 'reports', 'reports_one_open');
  perform app.refuse_too_many('You can send 10 reports a day, please try again later', (
    select created_at + interval '1 day' from app.reports
    where reporter_id = auth.uid() and created_at > now() - interval '1 day' order by created_at desc offset 9 limit 1));
  new.snapshot := app.report_subject(new.kind, new.subject_id);
  perform app.refuse_if(new.snapshot is null, 'PT404', 'There is nothing to report: it was removed, or you can''t see it');
  return new;
end $$;

create or replace trigger check_report before insert on app.reports
  for each row when (new.words is null and not pg_has_role('service_role', 'usage')) execute function app.check_report();

-- Creates the admins' part of the report. It stores the owner, because the subject may be deleted before the decision.
create or replace function app.open_report() returns trigger language plpgsql security definer as $$
declare
  owner constant uuid := app.report_owner(new.kind, new.subject_id);
begin
  perform app.refuse_if(owner = new.reporter_id, '23514', 'You can''t report yourself', 'reports', 'reports_of_others');
  insert into app.report_decisions (report_id, owner_id) values (new.id, owner);
  return null;
end $$;

create or replace trigger open_report after insert on app.reports for each row execute function app.open_report();

-- Raises an error if the decision or its actions don't fit the report's state or kind.
create or replace function app.check_report_decision(report app.reports, decision text, note text, actions text[]) returns void
language plpgsql as $$
begin
  perform app.refuse_if(decision is null or decision not in ('taken', 'upheld', 'dismissed'),
    'PT400', 'The decision must be taken, upheld or dismissed');
  perform app.refuse_if(report.state in ('upheld', 'dismissed') or report.state = decision,
    'PT409', format('This report is already %s', report.state));
  if report.state = 'open' and decision <> 'taken' then
    raise sqlstate 'PT409' using message = 'This report is open', hint = 'Take it before you decide.';
  end if;
  perform app.refuse_if(decision <> 'taken' and note is null, 'PT400', 'Write a note that explains the decision');
  perform app.refuse_if(cardinality(actions) > 0 and decision <> 'upheld', 'PT400', 'Choose actions only if you uphold the report');
  perform app.refuse_if(exists (
    select from unnest(actions) as chosen
    where not exists (select from app.audit_actions where action = chosen and report.kind = any (report_kinds))),
    'PT400', format('These actions are not available for this kind of report: %s', array_to_string(actions, ', ')));
end $$;

-- Notifies the reporter of the decision and, if the report is upheld, the owner. Neither sees the note, who reported or who
-- decided.
create or replace function app.tell_of_decision(report app.reports, decision text, actions text[]) returns void language plpgsql as $$
declare
  told constant jsonb := jsonb_build_object('kind', report.kind, 'title', report.title);
begin
  perform app.notify(report.reporter_id, 'report_decided', report.id, told || jsonb_build_object(
    'state', decision, 'path', app.report_path(report.kind, report.subject_id, false)));
  if decision = 'upheld' then
    perform app.notify(profiles.id, 'content_moderated', report.subject_id, told || jsonb_build_object(
      'reason', report.reason, 'actions', tell_of_decision.actions, 'path', app.report_path(report.kind, report.subject_id, true)))
    from app.report_decisions join app.profiles on profiles.id = owner_id where report_id = report.id;
  end if;
end $$;

-- Returns the report's state. Repeating the decision as the same admin changes nothing.
create or replace function app.decide_report(report_id uuid, decision text, note text, actions text[]) returns text
language plpgsql security definer as $$
declare
  report app.reports;
  desk app.report_decisions;
  why constant text := nullif(btrim(note, E' \t\r\n'), '');
  chosen constant text[] := array(select distinct action from unnest(actions) as action order by action);
  action text;
begin
  perform app.refuse_if(not app.is_admin(), '42501', 'Only admins can decide about reports');
  -- Before the report, the accounts that will be notified: deleting an account takes the locks in this order.
  perform from app.profiles where id in (
    select reporter_id from app.reports where id = decide_report.report_id
    union all select owner_id from app.report_decisions as kept where kept.report_id = decide_report.report_id) order by id for key share;
  select * into report from app.reports where id = decide_report.report_id for update;
  perform app.refuse_if(not found, 'PT404', 'This report doesn''t exist');
  select * into desk from app.report_decisions where report_decisions.report_id = report.id;
  if report.state = decision and desk.actions = chosen
    and (case decision when 'taken' then desk.taken_by else desk.decided_by end) = auth.uid() then
    return decision;
  end if;
  perform app.check_report_decision(report, decision, why, chosen);
  if decision = 'taken' then
    update app.report_decisions as kept set taken_by = auth.uid(), taker = app.actor_name(auth.uid()), taken_at = now(), note = why
    where kept.report_id = report.id;
  else
    update app.report_decisions as kept
    set decided_by = auth.uid(), decider = app.actor_name(auth.uid()), note = why, actions = chosen
    where kept.report_id = report.id;
  end if;
  update app.reports set state = decision, decided_at = case when decision <> 'taken' then now() end where id = report.id;
  perform app.audit(auth.uid(), case decision when 'taken' then 'take_report' when 'upheld' then 'uphold_report' else 'dismiss_report' end,
    report.kind, case when report.kind in ('influencer', 'agency', 'vendor') then coalesce(desk.owner_id, report.subject_id) else report.subject_id end,
    report.title, jsonb_strip_nulls(jsonb_build_object('report_id', report.id, 'reason', report.reason, 'note', why)));
  foreach action in array chosen loop
    perform app.act_on_report(report, action, why);
  end loop;
  perform app.tell_of_decision(report, decision, chosen) where decision <> 'taken';
  return decision;
end $$;

create or replace function public.decide_report(report_id uuid, decision text, note text default null, actions text[] default '{}')
returns text language sql as $$ select app.decide_report(report_id, decision, note, actions) $$;

-- The current state of a report's subject, for admins; null if it was deleted.
create or replace function app.reported_now(report_id uuid) returns jsonb language plpgsql stable security definer as $$
begin
  perform app.refuse_if(not app.is_admin(), '42501', 'Only admins can read what was reported');
  return (select app.report_subject(kind, subject_id) from app.reports where id = reported_now.report_id);
end $$;

create or replace function public.reported_now(report_id uuid) returns jsonb
language sql stable as $$ select app.reported_now(report_id) $$;

grant execute on function app.decide_report(uuid, text, text, text[]), public.decide_report(uuid, text, text, text[]),
  app.reported_now(uuid), public.reported_now(uuid) to authenticated;
