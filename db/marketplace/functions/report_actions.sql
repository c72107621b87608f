-- The actions that admins can take when they uphold a report. Each adds an entry to the audit log.

create or replace function app.close_gig(report app.reports, note text) returns void language plpgsql as $$
declare
  gig app.gigs;
  known boolean;
  told uuid[] := '{}';
begin
  perform app.lock_parties('{}', '{}', array(select agency_id from app.gigs where id = report.subject_id));
  select * into gig from app.gigs where id = report.subject_id for no key update;
  perform app.refuse_if(not found, 'PT409', 'This gig was deleted and can''t be closed');
  perform app.refuse_if(gig.closed_at is not null, 'PT409', 'This gig is already closed');
  -- Applicants of a gig whose last day is over were told.
  known := coalesce(gig.closed_for = gig.closes_on, false);
  update app.gigs set closed_at = now() where id = gig.id;
  if not known then
    told := app.tell_first_applicants(gig.id, 'closed');
  end if;
  -- Ends the applications, so that nothing more happens to them. A second update of these rows would lock the profiles.
  update app.gig_applications set state = 'cancelled', decided_at = now(),
    untold = case when not (known or id = any (told)) then 'closed' end
  where gig_id = gig.id and state in ('applied', 'shortlisted');
  perform app.audit(auth.uid(), 'close_gig', 'gig', report.subject_id, report.title, jsonb_build_object('report_id', report.id, 'note', note));
end $$;

-- Ends an enquiry that has not been answered, and notifies its recipient. app.tell_of_decision() notifies the sender.
create or replace function app.cancel_enquiry(report app.reports, note text) returns void language plpgsql as $$
declare
  enquiry constant app.enquiries := app.lock_enquiry(report.subject_id);
begin
  perform app.refuse_if(enquiry.id is null, 'PT409', 'This enquiry was deleted and can''t be cancelled');
  perform app.refuse_state(enquiry.state) where enquiry.state not in ('unconfirmed', 'open');
  update app.enquiries set state = 'cancelled' where id = enquiry.id;
  if enquiry.state = 'open' then
    perform app.notify(user_id, 'enquiry_withdrawn', enquiry.id, app.enquiry_notice(enquiry) || '{"state": "cancelled"}')
    from app.influencers where id = enquiry.influencer_id;
  end if;
  perform app.audit(auth.uid(), 'cancel_enquiry', 'enquiry', enquiry.id, report.title, jsonb_build_object('report_id', report.id, 'note', note));
end $$;

create or replace function app.act_on_report(report app.reports, action text, note text) returns void language plpgsql as $$
declare
  owner constant uuid := (select id from app.report_decisions join app.profiles on id = owner_id where report_id = report.id);
  address constant text := (select email from app.profiles where id = owner);
  guest constant text := app.reported_guest(report);
begin
  case action
    when 'close_gig' then perform app.close_gig(report, note);
    when 'cancel_enquiry' then perform app.cancel_enquiry(report, note);
    -- Adds its own entry to the audit log.
    when 'hide_review' then perform app.hide_review(report.subject_id, left(note, 500));
    when 'block_sender' then
      perform app.refuse_if(owner is null and guest is null, 'PT409', 'The account was deleted and can''t be blocked');
      perform app.block_sender(owner, guest, coalesce(address, report.snapshot ->> 'sender', 'A guest'), note);
    else
      raise sqlstate 'PT400' using message = format('The action "%s" is not available', action);
  end case;
end $$;
