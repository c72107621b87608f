-- The order in which complete profiles are featured: by badge, then the newest first. `featured_influencers()` repeats the
-- expression and the condition word for word.
set local role serasi_owner;

create index influencers_featured on app.influencers (
  (case badge_type when 'platinum' then 1 when 'gold' then 2 when 'blue' then 3 else 4 end), created_at desc, id desc)
  where approved and profile_image <> '' and bio <> '' and content_posts <> '[]';

reset role;
