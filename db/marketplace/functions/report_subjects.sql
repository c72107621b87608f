-- The subjects of reports, with one branch per kind.

-- The subject as the caller sees it, or null if it doesn't exist or the caller can't see it. `title` names it in lists.
create or replace function app.report_subject(kind text, subject_id uuid) returns jsonb language plpgsql stable as $$
begin
  perform app.refuse_if(kind is null or kind not in ('influencer', 'agency', 'vendor', 'gig', 'enquiry', 'application', 'review'),
    '23514', format('The kind "%s" can''t be reported', kind), 'reports', 'reports_kind_known');
  return jsonb_strip_nulls(case kind
    when 'influencer' then (
      select jsonb_build_object('title', name, 'username', username, 'category', category, 'bio', bio, 'location', location,
        'website', website_link, 'instagram', instagram_link, 'tiktok', tiktok_link, 'youtube', youtube_link, 'twitter', twitter_link,
        'services', services, 'posts', content_posts, 'pictures', jsonb_build_array(profile_image, cover_image))
      from app.influencers where id = report_subject.subject_id)
    when 'agency' then (
      select jsonb_build_object('title', name, 'company', company_name, 'email', email, 'phone', phone, 'website', website,
        'description', description, 'location', location, 'type', type,
        'pictures', jsonb_build_array(logo_url, banner_url) || to_jsonb(gallery))
      from app.agencies where id = report_subject.subject_id)
    when 'vendor' then (
      select jsonb_build_object('title', name, 'company', company_name, 'email', email, 'phone', phone, 'website', website,
        'description', description, 'location', location, 'type', type, 'pictures', jsonb_build_array(logo_url))
      from app.vendors where id = report_subject.subject_id)
    when 'gig' then (
      select jsonb_build_object('title', gigs.title, 'agency', agencies.name, 'description', gigs.description, 'budget', budget,
        'duration', duration, 'requirements', requirements, 'closed_at', closed_at)
      from app.gigs join app.agencies on agencies.id = agency_id where gigs.id = report_subject.subject_id)
    when 'enquiry' then (
      select jsonb_build_object('title', left(deliverables, 100), 'sender', sender_name, 'company', sender_company,
        'deliverables', deliverables, 'message', message, 'budget_from', budget_from, 'budget_to', budget_to,
        'starts_on', starts_on, 'ends_on', ends_on, 'state', state, 'answer', answer)
      from app.enquiries where id = report_subject.subject_id)
    when 'application' then (
      select jsonb_build_object('title', gig_title, 'influencer', influencers.name, 'pitch', pitch, 'quote', quote, 'state', state)
      from app.gig_applications as applications left join app.influencers on influencers.id = influencer_id
      where applications.id = report_subject.subject_id)
    else (
      select jsonb_build_object('title', left(text, 100), 'stars', rating, 'text', text, 'reply', reply,
        'written_by', side, 'published_at', published_at, 'hidden_at', hidden_at)
      from app.reviews where id = report_subject.subject_id) end);
end $$;

-- The account that owns the subject, or null for a guest's.
create or replace function app.report_owner(kind text, subject_id uuid) returns uuid language sql stable as $$
  select case kind
    when 'influencer' then (select user_id from app.influencers where id = report_owner.subject_id)
    when 'agency' then (select user_id from app.agencies where id = report_owner.subject_id)
    when 'vendor' then (select user_id from app.vendors where id = report_owner.subject_id)
    when 'gig' then (select user_id from app.gigs join app.agencies on agencies.id = agency_id where gigs.id = report_owner.subject_id)
    when 'enquiry' then (select sender_user_id from app.enquiries where id = report_owner.subject_id)
    when 'application' then (
      select user_id from app.gig_applications as applications join app.influencers on influencers.id = influencer_id
      where applications.id = report_owner.subject_id)
    when 'review' then (select author_id from app.reviews where id = report_owner.subject_id) end
$$;

-- The address of the guest who wrote the enquiry or review, or null if an account did.
create or replace function app.reported_guest(report app.reports) returns text language sql stable as $$
  select case report.kind
    when 'enquiry' then (
      select guest_email from app.enquiries join app.enquiry_briefs on enquiry_briefs.id = brief_id
      where enquiries.id = report.subject_id and sender_user_id is null)
    when 'review' then (
      select app.guest_address(collaboration_id) from app.reviews
      where id = report.subject_id and side = 'client' and author_id is null) end
$$;

-- The page that shows the subject to its owner or to the reporter.
create or replace function app.report_path(kind text, subject_id uuid, for_owner boolean) returns text language sql immutable as $$
  select case kind
    when 'influencer' then case when for_owner then '/dashboard' else '/profile/' || subject_id end
    when 'agency' then case when for_owner then '/agency-dashboard' else '/agency/' || subject_id end
    when 'vendor' then case when for_owner then '/vendor-dashboard' else '/search/vendors' end
    when 'gig' then case when for_owner then '/agency-dashboard?tab=gigs' else '/gigs' end
    when 'enquiry' then '/enquiries/' || subject_id
    when 'application' then case when for_owner then '/applications' else '/agency-dashboard?tab=gigs' end
    else case when for_owner then '/collaborations' else '/notifications' end
  end
$$;

grant execute on function app.report_subject(text, uuid) to authenticated;
