-- Generates any amount of data for measurements. Run as a superuser. The script creates temporary functions, which the same
-- connection then calls in chunks (see README.md). Generated accounts can't sign in.

-- Rows are numbered, and a run continues where the previous one stopped. IDs and usernames are derived from the number, so
-- they are unique.
create or replace function pg_temp.seed_id(kind text, number bigint) returns uuid language sql immutable as $$
  select (case kind when 'influencers' then '5e7b0001' when 'agencies' then '5e7b0002' when 'vendors' then '5e7b0003' else '5e7b0004' end
    || '-0000-4000-8000-' || lpad(to_hex(number), 12, '0'))::uuid
$$;

create or replace function pg_temp.seed_first(kind text) returns bigint language plpgsql stable as $$
declare
  counted constant text := case
    when kind = 'enquiries' then 'enquiry_briefs'
    when kind not in ('influencers', 'agencies', 'vendors') then pg_temp.seed_table(kind)
  end;
  first bigint;
begin
  if counted is null then
    return (select count(*) + 1 from auth.users
      where id between pg_temp.seed_id(kind, 0) and pg_temp.seed_id(kind, 281474976710655));
  end if;
  execute format('select count(*) + 1 from app.%I', counted) into first;
  return first;
end $$;

-- In schema app.
create or replace function pg_temp.seed_table(kind text) returns text language sql immutable as $$
  select case kind when 'applications' then 'gig_applications' when 'notifications' then 'notices' else kind end
$$;

-- For a load that is large enough that rebuilding the indexes is cheaper than updating them. Until the transaction ends, no
-- other session can read the table.
create or replace function pg_temp.seed_drop_indexes(kind text) returns void language plpgsql as $$
declare
  index text;
begin
  create temporary table seed_indexes on commit drop as
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = ('app.' || pg_temp.seed_table(kind))::regclass and not indisunique;
  for index in select name from pg_temp.seed_indexes
  loop execute 'drop index ' || index; end loop;
end $$;

create or replace function pg_temp.seed_create_indexes() returns void language plpgsql
set maintenance_work_mem = '256MB' as $$
declare
  definition text;
begin
  for definition in select seed_indexes.definition from pg_temp.seed_indexes
  loop execute definition; end loop;
end $$;

create or replace function pg_temp.pick(choices text[]) returns text language sql volatile as $$
  select choices[1 + floor(random() * cardinality(choices))::integer]
$$;

-- Follower counts as people type them: '950', '8,450', '12.4K', '3M'. Most are small, a few huge. An influencer is about
-- equally popular on all platforms.
create or replace function pg_temp.typed_followers(popularity double precision) returns text language plpgsql volatile as $$
declare
  followers constant double precision := popularity * exp(1.2 * pg_temp.bell());
begin
  if followers < 100 then
    return null;
  elsif followers < 1000 then
    return floor(followers)::integer::text;
  elsif followers < 10000 then
    return case when random() < 0.5 then overlay(floor(followers)::integer::text placing ',' from 2 for 0) else floor(followers)::integer::text end;
  elsif followers < 1000000 then
    return floor(followers / 100) / 10 || case when random() < 0.2 then 'k' else 'K' end;
  end if;
  return floor(least(followers, 20000000) / 100000) / 10 || 'M';
end $$;

-- A random number from the standard normal distribution (Box-Muller transform).
create or replace function pg_temp.bell() returns double precision language sql volatile as $$
  select sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())
$$;

-- Every combination of a given name and a family name of the same community. A community with more names is larger.
create temporary table if not exists seed_people as
select row_number() over () - 1 as person, community, called, surname
from (values
  ('Malay', array[
    'Adam', 'Adibah', 'Afiq', 'Aida', 'Aiman', 'Aina', 'Aisyah', 'Alia', 'Amir', 'Amira', 'Anis', 'Aqil', 'Ariff', 'Asyraf', 'Atiqah',
    'Azlan', 'Azura', 'Balqis', 'Danial', 'Dina', 'Ezzati', 'Faizal', 'Farah', 'Farhan', 'Fatin', 'Firdaus', 'Hafiz', 'Hakim', 'Hana',
    'Haziq', 'Husna', 'Iman', 'Irfan', 'Izzati', 'Khairul', 'Liyana', 'Luqman', 'Maisarah', 'Mariam', 'Nabil', 'Nadia', 'Najwa', 'Nurul',
    'Qistina', 'Rayyan', 'Safiya', 'Shafiq', 'Syazwan', 'Umairah', 'Zaid'
  ], array[
    'Abdullah', 'Ahmad', 'Arshad', 'Azhar', 'Bakar', 'Bakri', 'Daud', 'Embong', 'Fauzi', 'Ghani', 'Hamid', 'Hamzah', 'Harun', 'Hashim',
    'Hassan', 'Hussin', 'Ibrahim', 'Idris', 'Ismail', 'Jaafar', 'Jalil', 'Jamaludin', 'Kamal', 'Kassim', 'Latif', 'Mahmud', 'Mansor',
    'Mokhtar', 'Musa', 'Mustafa', 'Nasir', 'Noor', 'Omar', 'Osman', 'Othman', 'Rahim', 'Rahman', 'Ramli', 'Razak', 'Rosli', 'Saad',
    'Salleh', 'Sulaiman', 'Talib', 'Wahab', 'Yaacob', 'Yusoff', 'Zainal'
  ]),
  ('Chinese', array[
    'Ai Ling', 'Boon Kiat', 'Chee Keong', 'Chia Ling', 'Chun Hao', 'Ee Wen', 'Eng Hui', 'Fang Yi', 'Guan Ming', 'Hong Wei', 'Hui Min',
    'Hui Shan', 'Jia Hao', 'Jia Yi', 'Jun Kai', 'Kah Yee', 'Kai Xin', 'Kok Leong', 'Li Ting', 'Mei Fong', 'Mei Xian', 'Ming Xuan',
    'Pei Shan', 'Poh Ling', 'Qi Hui', 'Shu Ting', 'Siew Mei', 'Soon Huat', 'Swee Lan', 'Wei Jie', 'Wen Xin', 'Xin Yi', 'Yee Ling',
    'Yong Sheng', 'Zhi Hao', 'Zhi Qi'
  ], array[
    'Ang', 'Chan', 'Cheah', 'Chee', 'Chew', 'Chia', 'Chin', 'Chong', 'Choo', 'Chua', 'Foo', 'Gan', 'Goh', 'Heng', 'Ho', 'Khoo', 'Koh',
    'Kok', 'Kong', 'Lai', 'Lau', 'Lee', 'Leong', 'Liew', 'Lim', 'Loh', 'Low', 'Mok', 'Ng', 'Ong', 'Ooi', 'Pang', 'Quah', 'Sim', 'Tan',
    'Tay', 'Teoh', 'Tiong', 'Wong', 'Yap'
  ]),
  ('Indian', array[
    'Anitha', 'Anjali', 'Arjun', 'Bala', 'Darshini', 'Deepa', 'Devan', 'Dinesh', 'Gayathri', 'Haresh', 'Hema', 'Jayanthi', 'Kalaivani',
    'Karthik', 'Kavitha', 'Kumaran', 'Logesh', 'Meena', 'Mohan', 'Nisha', 'Prakash', 'Priya', 'Rajesh', 'Revathi', 'Sanjay', 'Shalini',
    'Suresh', 'Thivya', 'Vijaya', 'Vikram'
  ], array[
    'Anand', 'Arumugam', 'Balakrishnan', 'Chandran', 'Devaraj', 'Ganesan', 'Govindasamy', 'Kandasamy', 'Krishnan', 'Letchumanan', 'Maniam',
    'Muniandy', 'Murugan', 'Nadarajah', 'Nair', 'Perumal', 'Pillai', 'Raja', 'Rajendran', 'Ramasamy', 'Selvam', 'Sivalingam',
    'Subramaniam', 'Veerappan'
  ]),
  ('Iban', array[
    'Agnes', 'Angela', 'Bujang', 'Catherine', 'Dayang', 'Dominic', 'Edmund', 'Empiang', 'Entika', 'Gregory', 'Helen', 'Jabu', 'Jenang',
    'Kumang', 'Linda', 'Lucy', 'Nanang', 'Sylvester', 'Unggat', 'Veronica'
  ], array[
    'anak Belayan', 'anak Bunsu', 'anak Empading', 'anak Garai', 'anak Gerasi', 'anak Jantai', 'anak Jawa', 'anak Kalong', 'anak Lanting',
    'anak Mawar', 'anak Ngau', 'anak Nyambong', 'anak Rentap', 'anak Saban', 'anak Sumping', 'anak Tindin', 'anak Ujang', 'anak Umpang'
  ]),
  ('Kadazan', array[
    'Alvin', 'Anastasia', 'Beatrice', 'Bernard', 'Clarice', 'Dennis', 'Evelyn', 'Felix', 'Flora', 'Gilbert', 'Jovita', 'Juanita', 'Justin',
    'Lorna', 'Maxwell', 'Rayner', 'Roslyn', 'Stella', 'Verus', 'Winston'
  ], array[
    'Bansin', 'Benedict', 'Dousin', 'Gidah', 'Gunting', 'Jipanis', 'Kinajil', 'Lojingau', 'Lumbor', 'Majimbun', 'Mojuntin', 'Mosigil',
    'Sipanggi', 'Sualim', 'Taisin', 'Tangit', 'Totin', 'Yabi'
  ])
) as communities (community, given_names, family_names)
cross join unnest(given_names) as called
cross join unnest(family_names) as surname;

create or replace function pg_temp.seed_accounts(kind text, role text, first bigint, rows integer) returns void language sql as $$
  insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
  select pg_temp.seed_id(kind, n), role || n || '@seed.serasi.test', now(),
    '{"provider": "email", "providers": ["email"]}', jsonb_build_object('user_type', role)
  from generate_series(first, first + rows - 1) as n
$$;

create or replace function pg_temp.seed_influencers(first bigint, rows integer) returns void language plpgsql as $$
declare
  -- Each person's name gives 600 usernames: six styles with two digits. After that, usernames also contain the row's number.
  usernames constant bigint := (select count(*) * 600 from pg_temp.seed_people);
  categories constant text[] := array['Fashion', 'Fashion', 'Beauty', 'Beauty', 'Lifestyle', 'Lifestyle', 'Lifestyle', 'Travel', 'Travel',
    'Tech', 'Gaming', 'Food', 'Food', 'Fitness', 'Health', 'Business', 'Finance', 'Entertainment', 'Education', 'Sports'];
  peninsula constant text[] := array['Kuala Lumpur', 'Kuala Lumpur', 'Kuala Lumpur', 'Petaling Jaya', 'Shah Alam', 'Subang Jaya', 'George Town',
    'George Town', 'Ipoh', 'Johor Bahru', 'Johor Bahru', 'Melaka', 'Seremban', 'Kuantan', 'Kuala Terengganu', 'Kota Bharu', 'Alor Setar',
    'Kangar', 'Putrajaya', 'Taiping', 'Batu Pahat', 'Kajang', 'Klang', 'Muar'];
  sarawak constant text[] := array['Kuching', 'Kuching', 'Kuching', 'Sibu', 'Miri', 'Bintulu', 'Kapit', 'Sarikei', 'Sri Aman'];
  sabah constant text[] := array['Kota Kinabalu', 'Kota Kinabalu', 'Sandakan', 'Tawau', 'Penampang', 'Keningau', 'Lahad Datu'];
  smaller_groups constant text[] := array['Bajau', 'Bidayuh', 'Dusun', 'Eurasian', 'Melanau', 'Mixed', 'Murut', 'Orang Ulu', 'Other', 'Singh'];
  rarer_languages constant text[] := array['Arabic', 'French', 'German', 'Japanese', 'Korean', 'Spanish'];
  habits constant text[] := array['Honest reviews', 'Weekend trips', 'Slow mornings', 'Small budgets', 'Night markets', 'Rainy-day routines', 'Bus rides',
    'Kopitiam notes', 'Family recipes', 'Rooftop sunsets', 'Thrifted finds', 'Late-night edits'];
  turns constant text[] := array['told without shouting', 'filmed in one take', 'tested for a full month', 'with prices on screen', 'in Malay and English',
    'before work and after', 'for people who commute', 'and what I would skip next time', 'with my grandmother''s verdict', 'from a very small flat'];
  scenes constant text[] := array['bandar', 'batik', 'bukit', 'fesyen', 'gajet', 'gunung', 'kampung', 'kopi', 'main', 'mekap', 'nasi', 'pentas', 'pulau', 'senam'];
begin
  perform pg_temp.seed_accounts('influencers', 'influencer', first, rows);

  insert into app.influencers (
    id, user_id, name, username, category, bio, profile_image, instagram_followers, tiktok_followers, youtube_followers, twitter_followers,
    instagram_link, age, location, language, ethnicity, height, services, created_at, approved, badge_type)
  select
    pg_temp.seed_id('profiles', n), pg_temp.seed_id('influencers', n), called || ' ' || surname,
    case style when 0 then one || '.' || other when 1 then one || '_' || other when 2 then other || '.' || one
      when 3 then other || '_' || one when 4 then 'its.' || one || '.' || other else one || '.' || other || '.my' end
      || digits || case when n > usernames then '.' || n else '' end,
    category, pg_temp.pick(habits) || ' ' || pg_temp.pick(turns) || '. ' || category || ' from ' || place || '.',
    case when random() < 0.5 then '/storage/v1/object/public/images/demo/scenes/' || pg_temp.pick(scenes) || '.webp' end,
    pg_temp.typed_followers(1.5 * popularity), pg_temp.typed_followers(3 * popularity), pg_temp.typed_followers(0.4 * popularity),
    pg_temp.typed_followers(0.1 * popularity),
    'https://instagram.test/' || n,
    case when random() < 0.9 then 18 + floor(random() * random() * 43)::integer end,
    place,
    case when random() < 0.05 then pg_temp.pick(rarer_languages) when community = 'Chinese' and random() < 0.5 then 'Chinese'
      when community = 'Indian' and random() < 0.5 then 'Hindi' else 'English' end,
    case when random() < 0.05 then pg_temp.pick(smaller_groups) else community end,
    150 + floor(random() * 35) || ' cm',
    case when random() < 0.6 then jsonb_build_array(jsonb_build_object(
      'title', category || ' reel', 'description', 'One vertical video, subtitled, with usage rights for a year.',
      'price', 'RM ' || to_char(300 + 50 * floor(random() * 60), 'FM9,999'))) else '[]' end,
    -- About 90 seconds earlier per row, because rows that are inserted together should be neighbors in the indexes, too.
    now() - (n + random() * 200) * interval '90 seconds',
    random() < 0.97,
    case when luck < 0.7 then 'none' when luck < 0.87 then 'blue' when luck < 0.96 then 'gold' else 'platinum' end
  from (
    select n, community, called, surname, lower(replace(called, ' ', '')) as one, lower(replace(surname, ' ', '')) as other,
      mod(turn, 6) as style, to_char(mod(turn / 6, 100), 'FM00') as digits,
      random() as luck, exp(8.5 + 1.8 * pg_temp.bell()) as popularity, pg_temp.pick(categories) as category,
      case when random() < 0.1 then pg_temp.pick(peninsula || sarawak || sabah) when community = 'Iban' then pg_temp.pick(sarawak)
        when community = 'Kadazan' then pg_temp.pick(sabah) else pg_temp.pick(peninsula) end as place
    from (
      -- Multiplying by a large prime scatters the names over the list.
      select n, mod(scattered, usernames / 600) as person, scattered / (usernames / 600) as turn
      from generate_series(first, first + rows - 1) as n, lateral (select mod(n * 7368787, usernames) as scattered) as chance
    ) as drawn
    join pg_temp.seed_people using (person)
    order by n
  ) as someone;
end $$;

create or replace function pg_temp.seed_companies(kind text, role text, first bigint, rows integer) returns void language plpgsql as $$
declare
  heads constant text[] := array['Angin', 'Bayu', 'Cahaya', 'Delima', 'Embun', 'Fajar', 'Gelora', 'Harum', 'Intan', 'Jejak', 'Kasturi', 'Lestari', 'Mutiara',
    'Nilam', 'Ombak', 'Permata', 'Rentak', 'Suria', 'Teratai', 'Warna'];
  agency_tails constant text[] := array['Media', 'Studio', 'Collective', 'PR', 'Talent', 'Creative'];
  vendor_tails constant text[] := array['Catering', 'Sound', 'Lights', 'Events', 'Rentals', 'Production'];
  agency_types constant text[] := array['Marketing', 'Marketing', 'PR', 'Talent Search'];
  vendor_types constant text[] := array['Equipment', 'Services', 'Catering', 'Production', 'Technical'];
  places constant text[] := array['Kuala Lumpur', 'Petaling Jaya', 'Shah Alam', 'George Town', 'Ipoh', 'Johor Bahru', 'Melaka', 'Kuantan', 'Kuching', 'Kota Kinabalu'];
  promises constant text[] := array['On time, within budget, with receipts.', 'Small teams, clear numbers, honest endings.', 'From the first call to the last cable.',
    'Two states, three vans, one phone number.', 'We reply within a working day.', 'Halal-certified, insured and early.'];
begin
  perform pg_temp.seed_accounts(kind, role, first, rows);
  execute format($insert$
    insert into app.%I (user_id, name, email, company_name, phone, website, description, location, type, created_at, badge_type)
    select pg_temp.seed_id($1, n), name, $2 || n || '@seed.serasi.test', name || ' Sdn Bhd',
      '03-' || lpad((n %% 10000)::text, 4, '0') || ' ' || lpad((n / 10000)::text, 4, '0'), 'https://' || $2 || n || '.test',
      pg_temp.pick($3), pg_temp.pick($4), pg_temp.pick($5), now() - random() * interval '1095 days',
      case when random() < 0.75 then 'none' else pg_temp.pick(array['blue', 'blue', 'gold', 'platinum']) end
    from (select n, pg_temp.pick($6) || ' ' || pg_temp.pick($7) || ' ' || n as name from generate_series($8, $8 + $9 - 1) as n offset 0) as company
  $insert$, kind)
  using kind, role, promises, places, case kind when 'agencies' then agency_types else vendor_types end,
    heads, case kind when 'agencies' then agency_tails else vendor_tails end, first, rows;
end $$;

create or replace function pg_temp.seed_agencies(first bigint, rows integer) returns void language sql as $$
  select pg_temp.seed_companies('agencies', 'agency', first, rows)
$$;

create or replace function pg_temp.seed_vendors(first bigint, rows integer) returns void language sql as $$
  select pg_temp.seed_companies('vendors', 'vendor', first, rows)
$$;

-- Gigs of all existing agencies in turn. Without agencies, none are created.
create or replace function pg_temp.seed_gigs(first bigint, rows integer) returns void language plpgsql as $$
declare
  agencies constant uuid[] := array(select id from app.agencies order by id);
  jobs constant text[] := array['Launch reel', 'Festival host', 'Wear test', 'Livestream series', 'Recipe videos', 'Store opening', 'Campus tour', 'Lookbook', 'Unboxing', 'Road trip diary'];
  brands constant text[] := array['a kopi roaster', 'a batik label', 'a running club', 'a phone maker', 'an island resort', 'a halal cosmetics brand', 'a games studio', 'a city council'];
  durations constant text[] := array['1 day', '3 days', '1 week', '2 weeks', '1 month'];
  needs constant text[] := array['5K+ followers', 'Own equipment', 'Fluent in Malay', 'Any badge', 'Based in the Klang Valley', 'East coast only'];
begin
  if cardinality(agencies) = 0 then
    return;
  end if;
  insert into app.gigs (agency_id, title, description, budget, duration, requirements, created_at)
  select agencies[1 + n % cardinality(agencies)], job || ' for ' || brand,
    job || ' for ' || brand || ': planned together, filmed once, paid within fourteen days. Reference ' || n || '.',
    'RM ' || to_char(500 + 100 * floor(random() * 90), 'FM9,999'), pg_temp.pick(durations), pg_temp.pick(needs), now() - random() * interval '180 days'
  from (select n, pg_temp.pick(jobs) as job, pg_temp.pick(brands) as brand from generate_series(first, first + rows - 1) as n offset 0) as gig;
end $$;
