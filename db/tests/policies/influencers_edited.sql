-- Section 3 of the permission matrix: editing each field of a profile.
\ir ../setup.sql
select tests.people() \gset

-- By the owner, by others, and by admins. People are left out where the profile already has the value (IN-24 not approved),
-- because sending it again is allowed.
copy act (line) from stdin;
IN-14 own name
  sql: update influencers set name = 'New' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"name": "New"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's name
  sql: update influencers set name = 'New' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own username
  sql: update influencers set username = 'new' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"username": "new"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's username
  sql: update influencers set username = 'new' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"username": "new"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own category
  sql: update influencers set category = 'Tech' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"category": "Tech"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's category
  sql: update influencers set category = 'Tech' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"category": "Tech"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own bio
  sql: update influencers set bio = 'New' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"bio": "New"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-26 another's bio
  sql: update influencers set bio = 'New' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"bio": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own profile_image
  sql: update influencers set profile_image = 'https://pictures.example.test/1.jpg' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"profile_image": "https://pictures.example.test/1.jpg"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's profile_image
  sql: update influencers set profile_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"profile_image": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own cover_image
  sql: update influencers set cover_image = 'https://pictures.example.test/1.jpg' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"cover_image": "https://pictures.example.test/1.jpg"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's cover_image
  sql: update influencers set cover_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"cover_image": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own instagram_followers
  sql: update influencers set instagram_followers = '12K' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"instagram_followers": "12K"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's instagram_followers
  sql: update influencers set instagram_followers = '12K' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"instagram_followers": "12K"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own followers and links
  sql: update influencers set tiktok_followers = '12K', tiktok_link = 'https://new.example.test', youtube_followers = '12K', youtube_link = 'https://new.example.test', twitter_followers = '12K', twitter_link = 'https://new.example.test' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"tiktok_followers": "12K", "tiktok_link": "https://new.example.test", "youtube_followers": "12K", "youtube_link": "https://new.example.test", "twitter_followers": "12K", "twitter_link": "https://new.example.test"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's followers and links
  sql: update influencers set tiktok_followers = '12K', tiktok_link = 'https://new.example.test', youtube_followers = '12K', youtube_link = 'https://new.example.test', twitter_followers = '12K', twitter_link = 'https://new.example.test' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"tiktok_followers": "12K", "tiktok_link": "https://new.example.test", "youtube_followers": "12K", "youtube_link": "https://new.example.test", "twitter_followers": "12K", "twitter_link": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own instagram_link
  sql: update influencers set instagram_link = 'https://new.example.test' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"instagram_link": "https://new.example.test"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's instagram_link
  sql: update influencers set instagram_link = 'https://new.example.test' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"instagram_link": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own website_link
  sql: update influencers set website_link = 'https://new.example.test' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"website_link": "https://new.example.test"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's website_link
  sql: update influencers set website_link = 'https://new.example.test' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"website_link": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own age
  sql: update influencers set age = 30 where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"age": 30}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's age
  sql: update influencers set age = 30 where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"age": 30}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own location
  sql: update influencers set location = 'Ipoh' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"location": "Ipoh"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's location
  sql: update influencers set location = 'Ipoh' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"location": "Ipoh"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own language
  sql: update influencers set language = 'Malay' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"language": "Malay"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's language
  sql: update influencers set language = 'Malay' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"language": "Malay"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own ethnicity
  sql: update influencers set ethnicity = 'Malay' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"ethnicity": "Malay"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's ethnicity
  sql: update influencers set ethnicity = 'Malay' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"ethnicity": "Malay"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own height
  sql: update influencers set height = '170 cm' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"height": "170 cm"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's height
  sql: update influencers set height = '170 cm' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"height": "170 cm"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own religion
  sql: update influencers set religion = 'Islam' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"religion": "Islam"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's religion
  sql: update influencers set religion = 'Islam' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"religion": "Islam"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own services
  sql: update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"services": [{"title": "Reel", "price": "RM 5"}]}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's services
  sql: update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"services": [{"title": "Reel", "price": "RM 5"}]}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own content_posts
  sql: update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"content_posts": ["https://pictures.example.test/1.jpg"]}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's content_posts
  sql: update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"content_posts": ["https://pictures.example.test/1.jpg"]}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own payment_info
  sql: update influencers set payment_info = '{"payment_method": "paypal"}' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"payment_info": {"payment_method": "paypal"}}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-26 another's payment_info
  sql: update influencers set payment_info = '{"payment_method": "paypal"}' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"payment_info": {"payment_method": "paypal"}}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own date_of_birth
  sql: update influencers set date_of_birth = '2000-01-01' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"date_of_birth": "2000-01-01"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's date_of_birth
  sql: update influencers set date_of_birth = '2000-01-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"date_of_birth": "2000-01-01"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-22 an unapproved own name
  sql: update influencers set name = 'New' where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
\.

select * from tests.matrix();
\ir ../finish.sql
