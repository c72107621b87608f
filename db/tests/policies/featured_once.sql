-- A complete profile that is among the newest is featured once.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  update app.influencers set approved = false where true;
  update app.influencers set approved = true, created_at = now() - interval '1 hour' where id = tests.id('profile of verified');
  update app.influencers set approved = true, created_at = now(), bio = 'Coffee',
    profile_image = '/storage/v1/object/public/images/demo/scenes/kopi.webp',
    content_posts = '["/storage/v1/object/public/images/demo/scenes/kopi.webp"]'
  where id = tests.id('profile of approved');
end $$;

select results_eq('select id from featured_influencers()', array[tests.id('profile of approved'), tests.id('profile of verified')],
  'the complete profile, then the other one');

\ir ../finish.sql
