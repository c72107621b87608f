-- What the lists and filters of the screens are read from. One order everywhere: the newest first, the id
-- deciding between equals. A common filter is found by walking that order; a rare one needs an index of its
-- own, and statistics that tell the two apart.
set local role serasi_owner;

create index influencers_search on app.influencers using gin (
  name app.label_trigrams, username app.label_trigrams, category app.label_trigrams, location app.label_trigrams);
create index agencies_search on app.agencies using gin (
  name app.label_trigrams, company_name app.label_trigrams, description app.label_trigrams, location app.label_trigrams);
create index vendors_search on app.vendors using gin (
  name app.label_trigrams, company_name app.label_trigrams, description app.label_trigrams, location app.label_trigrams);

create index influencers_newest_of_language on app.influencers (language, created_at desc, id desc) where approved;
create index influencers_newest_of_ethnicity on app.influencers (ethnicity, created_at desc, id desc) where approved;
create index influencers_newest_of_badge on app.influencers (badge_type, created_at desc, id desc) where approved;
create index influencers_age on app.influencers (age) where approved;
create index influencers_instagram_followers on app.influencers (instagram_followers_count) where approved;
create index influencers_tiktok_followers on app.influencers (tiktok_followers_count) where approved;
create index influencers_youtube_followers on app.influencers (youtube_followers_count) where approved;
create index influencers_twitter_followers on app.influencers (twitter_followers_count) where approved;

alter table app.influencers alter name set statistics 300, alter username set statistics 300;
-- Which language somebody speaks says much about the community, and the other way round.
create statistics app.influencers_people (dependencies, mcv) on language, ethnicity, location, category, badge_type from app.influencers;
alter statistics app.influencers_people set statistics 300;

reset role;
