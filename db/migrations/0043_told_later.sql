-- When very many people are to be told of one change, app.tick() tells most of them later.
set local role serasi_owner;

alter table app.gig_applications
  -- Why the gig is over, until the applicant is told.
  add column untold text,
  add constraint gig_applications_untold_known check (untold in ('full', 'closed', 'removed'));
create index gig_applications_untold on app.gig_applications (id) where untold is not null;

alter table app.collaborations
  -- The side that is to be told that the other one was deleted.
  add column untold text,
  add constraint collaborations_untold_known check (untold in ('influencer', 'client'));
create index collaborations_untold on app.collaborations (id) where untold is not null;

reset role;
