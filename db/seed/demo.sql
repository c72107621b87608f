-- Demo data of the first start: the six demo accounts, influencers, agencies, vendors and gigs. All are fictional. Run as a
-- superuser in an empty, migrated database. The images are in images/. The demo accounts' password is `serasi-demo`; the
-- other accounts have none.

create temporary table demo_account (number integer, email text, kind text);
create temporary table demo_influencer (
  number integer generated always as identity, name text, username text, category text, badge text, location text,
  ethnicity text, religion text, language text, born integer, height text, bio text,
  instagram text, tiktok text, youtube text, twitter text, picture text, cover text, approved boolean);
create temporary table demo_agency (
  number integer generated always as identity, name text, company text, email text, phone text, type text, location text,
  badge text, logo text, banner integer, description text, gallery text[]);
create temporary table demo_vendor (
  number integer generated always as identity, name text, company text, email text, phone text, website text, type text,
  location text, badge text, logo text, description text);
create temporary table demo_gig (
  number integer generated always as identity, agency integer, title text, description text, budget text, duration text, requirements text);
create temporary table demo_category (category text, scenes text[], services jsonb);

insert into demo_influencer (name, username, category, badge, location, ethnicity, religion, language, born, height, bio,
  instagram, tiktok, youtube, twitter, picture, cover, approved) values
('Aisyah Rahmat', 'aisyah.jalan', 'Travel', 'gold', 'Penang', 'Malay', 'Islam', 'English', 1999, '162 cm', 'Slow trains, small islands and where to eat once you get off. I plan routes a family can actually follow, film them in one take where possible, and always say when something was paid for.', '128K', '402K', '61K', '9.4K', 'portraits/aisyah', 'pantai', true),
('Nurul Hana', 'nurul.reads', 'Lifestyle', 'none', 'Kota Bharu', 'Malay', 'Islam', 'English', 2001, '157 cm', 'Books, desks and a very spoiled cat. Two honest reviews a week, one reading vlog a month, and a shelf that never gets finished.', '19K', '44K', '', '2.1K', 'portraits/nurul', 'teh', false),
('Sofea Karim', 'sofea.styled', 'Fashion', 'blue', 'Shah Alam', 'Malay', 'Prefer not to say', 'English', 1999, '158 cm', 'Modest wardrobes built from eight pieces. I test fabrics through a full Klang Valley day: LRT, rain, rooftop dinner.', '240K', '515K', '18K', '', 'portraits/sofea', 'kota', true),
('Tan Mei Lin', 'meilin.makes', 'Beauty', 'platinum', 'Kuala Lumpur', 'Chinese', 'Buddhism', 'Chinese', 1996, '165 cm', 'Humidity-proof make-up, tested on real commutes.', '1.2M', '2.5M', '380K', '41K', 'portraits/meilin', 'kota', true),
('Harjit Gill', 'harjit.onroad', 'Travel', 'platinum', 'Ipoh', 'Singh', 'Sikhism', 'English', 1988, '181 cm', 'Two wheels, fourteen states, one teapot.', '310K', '890K', '145K', '12K', 'portraits/harjit', 'teh', true),
('Layang Jau', 'layang.borneo', 'Travel', 'gold', 'Miri', 'Orang Ulu', 'Christianity', 'English', 1993, '169 cm', 'Longhouse cooking and river trips in Baram.', '67K', '188K', '12K', '', 'portraits/layang', 'pantai', true),
('Kavitha Suresh', 'kavi.curls', 'Beauty', 'gold', 'Petaling Jaya', 'Indian', 'Hinduism', 'English', 1997, '160 cm', 'Curl routines for hard water and monsoon days.', '156K', '274K', '58K', '8,300', 'portraits/kavitha', 'kota', true),
('Hafiz Salleh', 'hafiz.makan', 'Lifestyle', 'gold', 'Kajang', 'Malay', 'Islam', 'English', 1991, '172 cm', 'Kuih at 6 a.m., satay at midnight.', '205K', '760K', '84K', '15K', 'portraits/hafiz', 'teh', true),
('Priya Nair', 'priya.plates', 'Lifestyle', 'platinum', 'Klang', 'Indian', 'Hinduism', 'English', 1994, '163 cm', 'Banana-leaf lunches and weekday tiffin ideas.', '86K', '140K', '22K', '', 'portraits/priya', 'teh', true),
('Lim Wei Han', 'weihan.gg', 'Gaming', 'platinum', 'Johor Bahru', 'Chinese', 'Atheism', 'English', 2000, '175 cm', 'Ranked climbs, late-night co-op, no shouting.', '72K', '330K', '640K', '58K', 'portraits/weihan', 'kota', true),
('Rajan Pillai', 'rajan.lifts', 'Lifestyle', 'blue', 'Seremban', 'Indian', 'Hinduism', 'English', 1990, '178 cm', 'Strength work for people who sit all day.', '95K', '120K', '33K', '', 'portraits/rajan', 'kota', true),
('Joanna Wong', 'joanna.wears', 'Fashion', 'blue', 'George Town', 'Chinese', 'Christianity', 'English', 1995, '167 cm', 'Vintage qipao, restyled for the office.', '112K', '198K', '', '4,750', 'portraits/joanna', 'pantai', true),
('Zul Hilman', 'zul.sketsa', 'Entertainment', 'gold', 'Kuala Terengganu', 'Malay', 'Islam', 'English', 1992, '170 cm', 'Sketches about flatmates, aunties and the group chat. New one every Thursday night.', '420K', '1.8M', '210K', '66K', 'portraits/zul', 'kota', true),
('Danial Iskandar', 'danial.ujibateri', 'Tech', 'gold', 'Cyberjaya', 'Malay', 'Islam', 'English', 1998, '174 cm', 'Phones and power banks, drained on camera until they give up. No unboxing without a week of use.', '98K', '245K', '312K', '37K', 'portraits/danial', 'kota', true),
('Jasmine Ugak', 'jasmine.rimba', 'Beauty', 'none', 'Kuching', 'Bidayuh', 'Christianity', 'English', 2000, '159 cm', 'Skincare with ingredients my grandmother grew.', '41K', '96K', '', '', 'portraits/jasmine', 'teh', false),
('Tracy Gumba', 'tracy.runs', 'Lifestyle', 'none', 'Kota Kinabalu', 'Kadazan', 'Christianity', 'English', 1996, '161 cm', 'Trail shoes, tamu mornings and how to finish a first ten kilometres at Kinabalu altitude.', '28K', '52K', '6,400', '', 'portraits/tracy', 'pantai', false),
('Faris Amri', 'faris.fits', 'Fashion', 'none', 'Alor Setar', 'Malay', 'Islam', 'English', 2002, '173 cm', 'Bundle finds, tailored for Raya and for Monday.', '33K', '150K', '', '', 'portraits/faris', 'kota', false),
('Imran Shahrin', 'imran.plays', 'Gaming', 'none', 'Kuantan', 'Malay', 'Islam', 'English', 2003, '168 cm', 'Regional indie games, finished to the credits and reviewed without spoilers.', '12K', '61K', '88K', '5,100', 'portraits/imran', 'kota', false),
('Amira Daud', 'amira.pagi', 'Lifestyle', 'blue', 'Putrajaya', 'Malay', 'Islam', 'English', 1994, '156 cm', 'Early walks, wet markets and what to cook from them.', '64K', '210K', '', '', 'scenes/kampung', 'teh', true),
('Chloe Yap', 'chloe.bare', 'Beauty', 'platinum', 'Kuala Lumpur', 'Chinese', 'Buddhism', 'Chinese', 1997, '168 cm', 'One product at a time, four weeks each, the same window light for every photo.', '1.1M', '860K', '95K', '20K', 'scenes/mekap', 'pantai', true),
('Izzah Noor', 'izzah.malam', 'Travel', 'gold', 'Melaka', 'Malay', 'Islam', 'English', 1998, '160 cm', 'Night markets from Kangar to Tawau.', '92K', '305K', '17K', '', 'scenes/bandar', 'kota', true),
('Dapur Teoh', 'dapur.teoh', 'Food', 'none', 'Ipoh', 'Chinese', '', 'Chinese', 1985, '', 'A family kitchen on Jalan Sultan Yusof: bean sprouts, white coffee and three generations of opinions.', '38K', '71K', '', '', 'scenes/nasi', 'teh', true),
('Marcus Anding', 'marcus.anak.sungai', 'Travel', 'blue', 'Sibu', 'Iban', 'Christianity', 'English', 1989, '171 cm', 'Express boats, pua kumbu weavers and the best kolok mee upriver.', '54K', '132K', '9,800', '', 'scenes/gunung', 'teh', true),
('Siti Khadijah Omar', 'dija.kemas', 'Lifestyle', 'blue', 'Bangi', 'Malay', 'Islam', 'English', 1990, '155 cm', 'Small flats made calm. Storage that fits a B40 kitchen and a toddler.', '178K', '460K', '41K', '3,200', 'scenes/kopi', 'teh', true),
('Grace Lo', 'grace.ontheroad', 'Travel', 'none', 'Sandakan', 'Chinese', 'Christianity', 'English', 1995, '164 cm', 'Proboscis monkeys before breakfast, ferries after lunch.', '23K', '38K', '', '', 'scenes/pulau', 'pantai', true),
('Arvind Raj', 'arvind.codes', 'Tech', 'blue', 'Bayan Lepas', 'Indian', 'Hinduism', 'English', 1993, '176 cm', 'Explains chips from the island that packages them. Laptops, benches, soldering fumes.', '45K', '88K', '167K', '29K', 'scenes/gajet', 'kota', true),
('Hui Min Chong', 'huimin.bakes', 'Food', 'gold', 'Batu Pahat', 'Chinese', 'Buddhism', 'Chinese', 1992, '162 cm', 'Pandan everything. Recipes that survive a rice-cooker and a rented oven.', '320K', '940K', '120K', '', 'scenes/nasi', 'teh', true),
('Syafiq Roslan', 'syafiq.kayuh', 'Fitness', 'blue', 'Nilai', 'Malay', 'Islam', 'English', 1991, '172 cm', 'Century rides on a folding bike, and the nasi lemak stops in between.', '61K', '79K', '14K', '2,900', 'scenes/senam', 'pantai', true),
('Deepa Menon', 'deepa.drapes', 'Fashion', 'gold', 'Brickfields, Kuala Lumpur', 'Indian', 'Hinduism', 'English', 1996, '166 cm', 'Nine yards, nine ways. Handloom sarees for people who take the monorail.', '144K', '222K', '19K', '', 'scenes/batik', 'kota', true),
('Awangku Rizal', 'rizal.laut', 'Travel', 'none', 'Labuan', 'Malay', 'Islam', 'English', 1987, '173 cm', 'Wreck dives, weekend fishing and honest reviews of ferry seats.', '17K', '26K', '31K', '', 'scenes/pulau', 'pantai', true),
('Nadia Bujang', 'nadia.melanau', 'Food', 'blue', 'Mukah', 'Melanau', 'Islam', 'English', 1994, '158 cm', 'Umai, tebaloi and sago in forms you have not met yet.', '29K', '143K', '', '', null, null, true),
('Kelvin Teh', 'kelvin.kliktech', 'Tech', 'platinum', 'Petaling Jaya', 'Chinese', 'Atheism', 'English', 1990, '177 cm', 'Long reviews, short verdicts. If it breaks, I open it; if it leaks data, I say so.', '510K', '630K', '1.1M', '220K', 'scenes/gajet', 'kota', true),
('Puteri Balqis Anuar', 'balqis.glow', 'Beauty', 'gold', 'Johor Bahru', 'Malay', 'Islam', 'English', 1998, '163 cm', 'Halal-certified cosmetics, wudhu-friendly routines and full ingredient lists.', '680K', '1.3M', '74K', '', 'scenes/mekap', 'pantai', true),
('Jeremy Gaun', 'jeremy.bajau', 'Entertainment', 'none', 'Semporna', 'Bajau', 'Islam', 'English', 1997, '170 cm', 'Stilt-house comedy, horsemen of the east coast and a grandmother who steals every scene.', '36K', '410K', '22K', '', null, null, true),
('Lakshmi Devi', 'lakshmi.learns', 'Education', 'blue', 'Sungai Petani', 'Indian', 'Hinduism', 'English', 1986, '159 cm', 'SPM chemistry in ninety seconds, with kitchen props.', '77K', '580K', '190K', '', null, null, true),
('Ong Zi Xuan', 'zixuan.draws', 'Entertainment', 'none', 'Muar', 'Chinese', 'Buddhism', 'Chinese', 2001, '160 cm', 'Kopitiam sketches and a webcomic about a very tired lion dancer.', '48K', '35K', '', '71K', 'scenes/kopi', 'teh', true),
('Farah Liyana', 'farah.kira', 'Finance', 'blue', 'Kuala Lumpur', 'Malay', 'Islam', 'English', 1992, '161 cm', 'EPF, takaful and your first RM 1,000, explained without shouting.', '133K', '370K', '52K', '44K', null, null, true),
('Desmond Linus', 'desmond.dusun', 'Entertainment', 'none', 'Tambunan', 'Dusun', 'Christianity', 'English', 1995, '174 cm', 'Sompoton covers, sumazau basics and rehearsals in the rice field.', '14K', '58K', '27K', '', 'scenes/pentas', 'teh', true),
('Gurpreet Kaur', 'gurpreet.moves', 'Fitness', 'gold', 'Subang Jaya', 'Singh', 'Sikhism', 'English', 1993, '168 cm', 'Bhangra cardio, living-room size. No equipment, some shouting.', '210K', '720K', '88K', '', 'scenes/senam', 'kota', true),
('Haziq Zainal', 'haziq.frag', 'Gaming', 'gold', 'Shah Alam', 'Malay', 'Islam', 'English', 2001, '171 cm', 'Mobile shooters, malay-language shoutcasting and a tidy desk tour once a year.', '118K', '890K', '1.4M', '97K', 'scenes/main', 'kota', true),
('Esther Julian', 'esther.rumah', 'Lifestyle', 'none', 'Bintulu', 'Iban', 'Christianity', 'English', 1990, '157 cm', 'Renovating a terrace house one payday at a time.', '21K', '67K', '', '', null, null, true),
('Muthu Kumaran', 'muthu.roti', 'Food', 'blue', 'Butterworth', 'Indian', 'Hinduism', 'English', 1984, '175 cm', 'Forty roti stalls, one scorecard, no free meals.', '58K', '301K', '45K', '6,900', 'scenes/kopi', 'teh', true),
('Yasmin Abdullah', 'yasmin.terbang', 'Travel', 'blue', 'Sepang', 'Malay', 'Islam', 'English', 1994, '165 cm', 'Cabin crew on days off: carry-on packing and where to sleep near KLIA.', '189K', '266K', '', '', 'scenes/bukit', 'pantai', true),
('Bryan Sikup', 'bryan.peaks', 'Sports', 'none', 'Ranau', 'Dusun', 'Christianity', 'English', 1999, '172 cm', 'Mountain guide. Weather, boots and why you turn back at Laban Rata.', '25K', '41K', '11K', '', 'scenes/gunung', 'teh', true),
('Nur Ain Hashim', 'ain.sihat', 'Health', 'blue', 'Kuantan', 'Malay', 'Islam', 'English', 1991, '158 cm', 'Registered dietitian. Suku-suku-separuh plates from the food you already cook.', '102K', '345K', '37K', '18K', null, null, true),
('Chan Jia Wei', 'jiawei.kopi', 'Food', 'none', 'Taiping', 'Chinese', '', 'English', 1996, '173 cm', 'Roasting in a shophouse, tasting notes your uncle would accept.', '16K', '22K', '3,700', '', 'scenes/kopi', 'teh', true),
('Rosalind Empari', 'rosalind.weaves', 'Fashion', 'none', 'Betong', 'Iban', 'Christianity', 'English', 1998, '160 cm', 'Pua kumbu motifs on everyday cuts, with the weaver''s name on every post.', '31K', '64K', '', '', 'scenes/batik', 'teh', true),
('Amirul Hakimi', 'amirul.drift', 'Sports', 'blue', 'Sepang', 'Malay', 'Islam', 'English', 1995, '176 cm', 'Track days in a twenty-year-old hatchback. Tyres, timing sheets, tow trucks.', '83K', '512K', '205K', '11K', null, null, true),
('Vanessa Lim', 'vanessa.pitch', 'Business', 'gold', 'Damansara, Kuala Lumpur', 'Chinese', 'Christianity', 'English', 1989, '164 cm', 'Former banker. How small brands price, pitch and get paid on time.', '96K', '58K', '41K', '130K', 'scenes/bandar', 'kota', true),
('Shanthi Perumal', 'shanthi.kolam', 'Lifestyle', 'none', 'Nibong Tebal', 'Indian', 'Hinduism', 'English', 1983, '156 cm', 'Kolam at dawn, filter coffee, and a garden that fits a car porch.', '18K', '49K', '', '', 'scenes/kampung', 'teh', true),
('Ikhwan Azhar', 'ikhwan.rakam', 'Tech', 'none', 'Kota Bharu', 'Malay', 'Islam', 'English', 2000, '170 cm', 'Filming with phones: microphones, lights and edits on the bus home.', '27K', '112K', '63K', '', 'scenes/gajet', 'kota', true),
('Melissa Chin', 'melissa.minimal', 'Fashion', 'platinum', 'Kuala Lumpur', 'Chinese', 'Buddhism', 'English', 1993, '169 cm', 'Linen, grey and one good bag. Cost per wear, counted.', '890K', '410K', '66K', '', 'scenes/fesyen', 'kota', true),
('Hafizah Mansor', 'hafizah.tadika', 'Education', 'none', 'Temerloh', 'Malay', 'Islam', 'English', 1988, '155 cm', 'Preschool crafts from boxes and bottle caps, tested by twenty-three five-year-olds.', '53K', '167K', '28K', '', null, null, true),
('Jason Laja', 'jason.ombak', 'Sports', 'none', 'Kudat', 'Bajau', 'Islam', 'English', 1997, '171 cm', 'Kite, wind and the tip of Borneo on weekdays.', '11K', '19K', '', '', 'scenes/pulau', 'pantai', true),
('Kirtana Balan', 'kirtana.sings', 'Entertainment', 'gold', 'Ipoh', 'Indian', 'Hinduism', 'English', 1999, '162 cm', 'Carnatic warm-ups, Malay pop covers, one take each.', '265K', '1.1M', '330K', '', 'scenes/pentas', 'kota', true),
('Wan Nur Syuhada', 'syuhada.songket', 'Fashion', 'blue', 'Kuala Terengganu', 'Malay', 'Islam', 'English', 1995, '159 cm', 'Songket, borrowed and rented. Wedding looks under RM 300.', '121K', '288K', '', '', 'scenes/fesyen', 'pantai', true),
('Terence Ho', 'terence.retro', 'Gaming', 'none', 'Kajang', 'Chinese', 'Atheism', 'English', 1986, '174 cm', 'Arcade boards, CRT repairs and high scores nobody asked about.', '9,600', '15K', '72K', '4,400', 'scenes/main', 'kota', true),
('Zarina Idris', 'zarina.warung', 'Food', 'blue', 'Kangar', 'Malay', 'Islam', 'English', 1980, '157 cm', 'Harum manis season, laksa utara and the last charcoal warung in town.', '47K', '233K', '', '', 'scenes/nasi', 'teh', true),
('Nicholas Tan', 'nick.stacks', 'Finance', 'none', 'Penang', 'Chinese', 'Agnosticism', 'English', 1994, '178 cm', 'REITs, rate cuts and mistakes with my own money.', '39K', '27K', '81K', '52K', null, null, true),
('Suriani Gani', 'suri.sewing', 'Lifestyle', 'none', 'Tawau', 'Bajau', 'Islam', 'English', 1992, '154 cm', 'Sewing for beginners on a machine older than me.', '22K', '76K', '18K', '', 'scenes/batik', 'pantai', true),
('Adam Penan Lah', 'adam.hutan', 'Travel', 'none', 'Long Lama', 'Penan', 'Christianity', 'English', 1996, '167 cm', 'Walks with my uncles, plant names first, views later.', '8,900', '31K', '', '', 'scenes/gunung', 'teh', true),
('Cheryl Ng', 'cheryl.chops', 'Food', 'gold', 'Subang Jaya', 'Chinese', 'Christianity', 'English', 1991, '163 cm', 'Thirty-minute dinners, costed to the sen at this week''s pasar prices.', '410K', '1.6M', '260K', '', 'scenes/nasi', 'kota', true),
('Saravanan Das', 'sara.strides', 'Fitness', 'none', 'Klang', 'Indian', 'Hinduism', 'English', 1987, '179 cm', 'From couch to Penang Bridge, with the bad days left in.', '34K', '47K', '13K', '', 'scenes/senam', 'pantai', true),
('Liyana Jasmin', 'liyana.lens', 'Lifestyle', 'none', 'Cameron Highlands', 'Malay', 'Islam', 'English', 2000, '160 cm', 'Film photos of tea slopes. Waiting for fog is the job.', '15K', '9,200', '', '', 'scenes/bukit', 'teh', false),
('Danish Rahman', 'danish.debug', 'Tech', 'none', 'Skudai', 'Malay', 'Islam', 'English', 2004, '172 cm', 'A student''s builds: weather stations, door locks, one drone (lost).', '4,300', '18K', '7,100', '', null, null, false),
('Elaine Gomez', 'elaine.feni', 'Food', 'none', 'Melaka', 'Other', 'Christianity', 'English', 1993, '161 cm', 'Portuguese Settlement recipes, written down before they go.', '13K', '24K', '', '', null, null, false);

insert into demo_agency (name, company, email, phone, type, location, badge, logo, banner, description, gallery) values
('Lumut Studio', 'Lumut Studio Sdn Bhd', 'halo@lumut.test', '09-555 0126', 'Marketing', 'Kota Bharu', 'gold', 'lumut', 1, 'We plan launches for food makers on the east coast: who should film it, when it should go out, and how a small kitchen keeps up with the orders that follow. Eleven people, two test kitchens, one very large fridge.', array['nasi', 'kopi', 'kampung', 'batik', 'pentas', 'pulau']),
('Sembang PR', 'Sembang Communications', 'sembang@sembang.test', '03-555 0171', 'PR', 'Kuala Lumpur', 'blue', 'sembang', 4, 'Press rooms, campus tours and the awkward questions before a journalist asks them.', array['bandar', 'pentas', 'kopi']),
('Kilau Talent', 'Kilau Talent House', 'casting@kilau.test', '04-555 0133', 'Talent Search', 'Penang', 'platinum', 'kilau', 6, 'We find faces for skincare and fashion, pay within fourteen days and never ask for exclusivity by accident.', array['mekap', 'fesyen', 'bandar', 'pulau']),
('Cakera Media', 'Cakera Media', 'play@cakera.test', '07-555 0184', 'Marketing', 'Johor Bahru', 'none', 'cakera', 7, 'Streams, tournaments and short clips for games made in the region.', array['main', 'gajet', 'pentas']),
('Pukat Digital', 'Pukat Digital Sdn Bhd', 'hello@pukatdigital.test', '09-555 0145', 'Marketing', 'Kuala Terengganu', 'blue', 'pukat', 2, 'Travel and tourism campaigns for the islands, timed around the monsoon.', array['pulau', 'bukit', 'kampung']),
('Rimba PR', 'Rimba PR & Events', 'news@rimbapr.test', '082-555 0109', 'PR', 'Kuching', 'gold', 'rimba', 5, 'Borneo stories told from Borneo. Artists, weavers, conservation and the odd regatta.', array['batik', 'gunung', 'kampung', 'nasi']),
('Gema Creators', 'Gema Creators Network', 'join@gema.test', '03-555 0198', 'Talent Search', 'Petaling Jaya', 'gold', 'gema', 3, 'A roster of two hundred micro creators, matched by what their followers ask in the comments.', array['senam', 'gajet', 'main']),
('Tenun Collective', 'Tenun Kolektif', 'tenun@tenun.test', '09-555 0160', 'Marketing', 'Kuantan', 'none', null, 8, 'Slow fashion launches with makers'' names on the label.', array['batik', 'fesyen']),
('Suara Kota', 'Suara Kota Communications', 'desk@suarakota.test', '03-555 0112', 'PR', 'Shah Alam', 'blue', null, 4, 'Local councils, transport and public health, explained so people stay to the end.', array['bandar', 'senam']),
('Merak Casting', 'Merak Casting Studio', 'cast@merak.test', '05-555 0155', 'Talent Search', 'Ipoh', 'none', null, 6, 'Street casting for commercials. We come to you, with one camera and kuih.', array['pentas', 'kopi']),
('Kinabalu Reach', 'Kinabalu Reach Sdn Bhd', 'team@kreach.test', '088-555 0139', 'Marketing', 'Kota Kinabalu', 'gold', null, 2, 'Outdoor, sport and wellness brands across Sabah.', array['gunung', 'senam', 'pulau']),
('Teh Tarik Labs', 'Teh Tarik Labs', 'brew@tehtarik.test', '03-555 0177', 'Marketing', 'Cyberjaya', 'none', null, 1, 'Experiments for apps and gadgets: small budgets, clear numbers, honest endings.', array['gajet', 'bandar', 'kopi']);

insert into demo_vendor (name, company, email, phone, website, type, location, badge, logo, description) values
('Tandu Sound', 'Tandu Audio Works', 'hello@tandu.test', '012-555 0148', 'https://tandu.test', 'Equipment', 'Shah Alam', 'blue', 'tandu', 'Stage sound and wireless kits for crowds of fifty to five thousand, with a crew who arrive early and label every cable.'),
('Dapur Rimba', 'Dapur Rimba Catering', 'order@rimba.test', '082-555 0117', 'https://rimba.test', 'Catering', 'Kuching', 'gold', 'rimba', 'Sarawak and Kelantan menus for shoots and launches. Halal kitchen, compostable packs, tea on arrival.'),
('Pukat Lights', 'Pukat Production', 'crew@pukat.test', '06-555 0192', null, 'Technical', 'Melaka', 'none', 'pukat', 'Lighting design for small stages and studio sets, including generators and a certified electrician.'),
('Kilau Canopy', 'Kilau Canopy & Tents', 'sewa@kilaucanopy.test', '019-555 0121', 'https://kilaucanopy.test', 'Equipment', 'Klang', 'none', 'kilau', 'Canopies, floors and fans. Up by noon, gone by midnight, rain or not.'),
('Gema Stage', 'Gema Stage Production', 'build@gemastage.test', '03-555 0163', 'https://gemastage.test', 'Production', 'Subang Jaya', 'blue', 'gema', 'Sets, risers and LED walls for launches and festivals, drawn in 3D before anybody lifts a panel.'),
('Nasi Kawah Pak Din', 'Pak Din Enterprise', 'pakdin@kawah.test', '013-555 0104', null, 'Catering', 'Alor Setar', 'gold', null, 'Kawah cooking for two hundred and up. Gulai daging, dalca, air sirap; we bring the firewood.'),
('Sembang Interpreters', 'Sembang Language Services', 'book@sembanglang.test', '011-555 01420', 'https://sembanglang.test', 'Services', 'Kuala Lumpur', 'none', 'sembang', 'Malay, Mandarin, Tamil and sign-language interpreters for stages and streams.'),
('Cakera Streaming', 'Cakera Live', 'live@cakeralive.test', '07-555 0128', 'https://cakeralive.test', 'Technical', 'Johor Bahru', 'blue', 'cakera', 'Multi-camera streams with bonded 5G, from a ballroom or the middle of a padi field.'),
('Lumut Florals', 'Lumut Florals', 'bunga@lumutflorals.test', '05-555 0119', null, 'Services', 'Cameron Highlands', 'none', 'lumut', 'Highland flowers cut the same morning, arranged without foam, composted after.'),
('Ombak Drone', 'Ombak Aerial', 'fly@ombakdrone.test', '088-555 0186', 'https://ombakdrone.test', 'Production', 'Kota Kinabalu', 'gold', null, 'Licensed aerial crews for coast and city, permits included in the price.'),
('Teh Ais Mobile Bar', 'Teh Ais Mobile', 'pour@tehais.test', '016-555 0157', null, 'Catering', 'George Town', 'none', null, 'A tuk-tuk that pours four hundred cups an hour, unsweetened on request.'),
('Rangka Booths', 'Rangka Exhibition', 'hall@rangka.test', '03-555 0135', 'https://rangka.test', 'Production', 'Puchong', 'none', null, 'Modular booths from reclaimed wood, reused at least twenty times each.');

insert into demo_gig (agency, title, description, budget, duration, requirements) values
(1, 'Raya kuih launch, six short videos', 'A family bakery in Kota Bharu is taking its kuih national before Raya. We need six playful kitchen videos, each under 40 seconds, filmed with the bakers and cut with Malay subtitles for two platforms.', 'RM 6,000', '3 weeks', 'Food creators, 20K+ followers'),
(2, 'Campus tour hosts, northern leg', 'Five campuses in five days, from Alor Setar down to Ipoh. Warm up the crowd, run two games and interview students on camera.', 'RM 350 per day', '5 days', 'Comfortable with live crowds'),
(3, 'Skincare wear test in monsoon season', 'Wear one sunscreen for thirty days and document it honestly: rain, LRT, gym. Weekly check-in video and one long-form review at the end.', 'RM 2,200', '1 month', 'Beauty, any badge'),
(4, 'Co-op night livestream series', 'Four Friday streams playing new regional indie titles with a rotating guest. Clips are cut by our team.', 'RM 4,800', '4 weeks', 'Gaming, own streaming setup'),
(5, 'Island ferry route explainer', 'One clear, funny video that explains how to reach the east coast islands without a car, including cost.', 'RM 1,900', null, 'Travel, based in Terengganu'),
(6, 'Batik market lookbook', 'Style three looks from independent batik makers in Kuching and shoot them in daylight around the waterfront.', 'RM 3,000', '10 days', 'Fashion, modest styling'),
(1, 'Budu brand, recipe reels', 'Three recipes that make somebody from the west coast want budu. Ingredients and a kitchen in Kota Bharu are ours.', 'RM 2,700', '2 weeks', 'Food, Malay or English voice-over'),
(1, 'Ramadan bazaar walkabout', 'One evening, one bazaar, twelve stalls, one long take. We clear it with the stall owners.', 'RM 1,500', '1 day', 'Lifestyle or food, Kelantan'),
(2, 'Public transport etiquette skits', 'Four short skits for a rail operator about queues, bags and phone speakers. Scripts come from you.', 'RM 5,200', '3 weeks', 'Entertainment, 50K+ on TikTok'),
(3, 'Hair oil, three textures', 'Looking for three creators with straight, wavy and curly hair for one shared campaign. Before-and-after under the same light.', 'RM 1,800 each', '6 weeks', 'Beauty, Klang Valley'),
(3, 'Petite workwear try-on', 'Try on twelve pieces from a Penang label and say what you would return.', 'RM 1,250', '1 week', 'Fashion, under 160 cm'),
(4, 'Desk setup makeover', 'A keyboard brand rebuilds your desk on camera. You keep the desk.', 'RM 900 plus equipment', '2 weeks', 'Gaming or tech'),
(5, 'Homestay weekend in Setiu', 'Two nights at a wetland homestay: mangrove planting, kerepek and one sunrise.', 'RM 2,400', '3 days', 'Travel, drone licence welcome'),
(6, 'Rainforest festival backstage diary', 'Three days backstage in Santubong with musicians from nine countries. Daily stories, one closing film.', 'RM 4,000', '4 days', 'Entertainment or travel'),
(6, 'Gawai table, short documentary', 'Five minutes about one longhouse and its guests. Respectful, unhurried, subtitled.', 'RM 3,600', '2 weeks', 'Iban or Bidayuh speaker'),
(7, 'Micro creators for a running app', 'Thirty creators, one neighbourhood route each, tracked and voiced.', 'RM 450 each', '1 month', 'Fitness, 5K to 50K followers'),
(7, 'SPM study-with-me sessions', 'Two live study sessions a week until the exam, with a timer and no music.', 'RM 3,200', '8 weeks', 'Education'),
(9, 'Dengue checks, ten minutes on Sunday', 'Show your own yard. One reel and a checklist card in two languages.', 'RM 1,100', '1 week', 'Lifestyle or health, family audience'),
(11, 'First climb, no heroics', 'Train a beginner for Kinabalu on camera and turn back if the weather says so.', 'RM 5,500', '2 months', 'Sports or fitness, Sabah'),
(12, 'Budget phone, seven days only', 'Put your own phone in a drawer for a week. Daily log, one verdict.', 'RM 1,700', '10 days', 'Tech, honest tone');

insert into demo_category values
('Travel', array['pulau', 'kampung', 'nasi', 'bukit', 'kopi', 'gunung', 'bandar', 'batik'],
  '[{"title": "Destination reel", "description": "One 60 to 90 second vertical video, filmed on location, with licensed music and subtitles in Malay and English.", "price": "RM 1,800"}, {"title": "Three-day travel series", "description": "Daily stories plus a pinned highlight covering transport, stay and food on a realistic budget.", "price": "RM 4,500"}, {"title": "Photo set", "description": "Fifteen edited images with usage rights for twelve months.", "price": "RM 950"}]'),
('Lifestyle', array['kopi', 'kampung', 'nasi', 'bandar'],
  '[{"title": "Day-in-the-life feature", "description": "Your product in a normal weekday, not a set.", "price": "RM 900"}, {"title": "Recipe or routine carousel", "description": "Eight slides with steps people save.", "price": "RM 650"}]'),
('Fashion', array['fesyen', 'batik', 'bandar', 'pentas'],
  '[{"title": "Capsule wardrobe video", "description": "Eight pieces, five looks, one vertical video with shopping list.", "price": "RM 1,200"}, {"title": "Store opening appearance", "description": "Two hours on site, three stories and one reel.", "price": "From RM 2,500"}, {"title": "Fabric review", "description": "Honest wear test with before-and-after close-ups."}]'),
('Beauty', array['mekap', 'fesyen', 'bandar'],
  '[{"title": "Four-week product test", "description": "Weekly check-ins and one long review under the same light.", "price": "RM 2,200"}, {"title": "Tutorial reel", "description": "One look in 45 seconds, products named on screen.", "price": "RM 1,100"}]'),
('Tech', array['gajet', 'bandar', 'kopi'],
  '[{"title": "Full review", "description": "Two weeks of use, numbers on screen, verdict in the first minute.", "price": "RM 3,500"}, {"title": "Launch-day short", "description": "Hands-on in 60 seconds, published within a day.", "price": "RM 1,400"}]'),
('Gaming', array['main', 'gajet', 'pentas'],
  '[{"title": "Sponsored stream", "description": "Three hours live with clips cut the same night.", "price": "RM 2,800"}, {"title": "Gameplay short", "description": "One funny minute, no fake reactions.", "price": "RM 800"}]'),
('Food', array['nasi', 'kopi', 'kampung', 'bandar', 'pentas'],
  '[{"title": "Recipe reel", "description": "One dish, ingredients from any pasar, under 60 seconds.", "price": "RM 1,300"}, {"title": "Restaurant visit", "description": "A paid visit that says it is paid. Three dishes, one reel.", "price": "RM 1,000"}]'),
('Fitness', array['senam', 'bukit', 'bandar'],
  '[{"title": "Follow-along session", "description": "Twenty minutes, living-room size.", "price": "RM 1,200"}, {"title": "Event host", "description": "Warm-up and hosting for runs and rides.", "price": "RM 1,800 per day"}]'),
('Sports', array['senam', 'gunung', 'pulau'],
  '[{"title": "Event coverage", "description": "One day on site, stories and a recap film.", "price": "RM 1,600"}]'),
('Health', array['senam', 'nasi', 'kopi'],
  '[{"title": "Explainer video", "description": "Reviewed for accuracy, sources in the caption.", "price": "RM 1,500"}]'),
('Entertainment', array['pentas', 'main', 'bandar', 'kopi'],
  '[{"title": "Branded sketch", "description": "Written, acted and edited in two weeks.", "price": "RM 4,200"}, {"title": "Live hosting", "description": "Weddings excluded.", "price": "From RM 2,000"}]'),
('Education', array['kopi', 'gajet'],
  '[{"title": "Lesson short", "description": "One idea in ninety seconds.", "price": "RM 700"}]'),
('Finance', array['bandar', 'kopi'],
  '[{"title": "Plain-language explainer", "description": "No stock tips, no affiliate links.", "price": "RM 2,000"}]'),
('Business', array['bandar', 'gajet', 'kopi'],
  '[{"title": "Founder interview", "description": "Thirty minutes, three clips.", "price": "RM 2,600"}]');

-- The prefix of an ID is its kind:
--   5e7a0001  accounts                                        5e7a0008  reviews
--   5e7a0002  influencers                                     5e7a0020  reports
--   5e7a0003  agencies                                        5e7a0021  blocked senders
--   5e7a0004  vendors                                         5e7a0031  briefs of enquiries
--   5e7a0005  gigs                                            5e7a0032  enquiries
--   5e7a0006  applications                                    5e7a0033  collaborations from enquiries
--   5e7a0007  collaborations from applications (1 to 100) and from demo_work (from 101)
create function pg_temp.demo_id(kind integer, number integer) returns uuid language sql immutable strict as $$
  select format('5e7a%s-0000-4000-8000-%s', lpad(kind::text, 4, '0'), lpad(number::text, 12, '0'))::uuid
$$;
create function pg_temp.demo_image(path text) returns text language sql immutable as $$
  select '/storage/v1/object/public/images/demo/' || path || '.webp'
$$;

-- Numbers of accounts: 1 and 2 are staff, those above 100 influencers, above 200 agencies, above 300 vendors.
insert into demo_account
select 1, 'superadmin@demo.serasi.test', 'superadmin' union all
select 2, 'admin@demo.serasi.test', 'admin' union all
select 100 + number, case number when 1 then 'influencer@demo.serasi.test' when 2 then 'pending@demo.serasi.test'
  else username || '@mail.test' end, 'influencer' from demo_influencer union all
select 200 + number, case number when 1 then 'agency@demo.serasi.test' else email end, 'agency' from demo_agency union all
select 300 + number, case number when 1 then 'vendor@demo.serasi.test' else email end, 'vendor' from demo_vendor;

insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at)
select
  pg_temp.demo_id(1, number), email,
  case when email like '%@demo.serasi.test'
    then '$argon2id$v=19$m=19456,t=2,p=1$EIgICAzG6BwSv8Qal2LhFg$6uizKAN0cAEhboWaYaKdGNt9FVA+tpgPpDzDE5Xxncs' end,
  now(),
  '{"provider": "email", "providers": ["email"]}'::jsonb
    || case when number < 100 then jsonb_build_object('marketplace_role', kind) else '{}' end,
  case when number < 100 then '{}' else jsonb_build_object('user_type', kind) end,
  now() - interval '40 days'
from demo_account;

insert into auth.identities (provider_id, user_id, identity_data, provider)
select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false), 'email'
from auth.users where id in (select pg_temp.demo_id(1, number) from demo_account);

insert into app.influencers (
  id, user_id, name, username, category, bio, profile_image, cover_image,
  instagram_followers, tiktok_followers, youtube_followers, twitter_followers,
  instagram_link, tiktok_link, youtube_link, twitter_link, website_link,
  age, location, language, ethnicity, height, religion, services, content_posts, created_at, approved, badge_type)
select
  pg_temp.demo_id(2, number), pg_temp.demo_id(1, 100 + number), name, username, category, bio,
  pg_temp.demo_image(picture), pg_temp.demo_image('covers/' || cover),
  instagram, tiktok, youtube, twitter,
  'https://instagram.test/' || username, 'https://tiktok.test/@' || username,
  case when youtube <> '' then 'https://youtube.test/@' || username end,
  case when twitter <> '' then 'https://twitter.test/' || split_part(username, '.', 1) end,
  case when number % 3 = 1 then 'https://' || replace(username, '.', '-') || '.test' end,
  extract(year from now())::integer - born, location, nullif(language, ''), nullif(ethnicity, ''), nullif(height, ''), nullif(religion, ''),
  services,
  (select coalesce(jsonb_agg(pg_temp.demo_image('scenes/' || scene)), '[]') from unnest(scenes) as scene where number % 7 <> 6),
  -- The lower the number, the newer the profile. Pending profiles are the newest.
  now() - case when approved then number * interval '13 hours' else number * interval '2 hours' end, approved, badge
from demo_influencer join demo_category using (category);

insert into app.influencer_private (user_id, payment_info, date_of_birth)
select
  pg_temp.demo_id(1, 100 + number),
  case number
    when 1 then '{"payment_method": "both", "bank_name": "Bank Contoh Berhad", "account_number": "0000 1234 5678", "account_holder": "Aisyah binti Rahmat", "paypal_email": "influencer@demo.serasi.test", "payment_notes": "Invoice first, please."}'::jsonb
    when 2 then '{"payment_method": "bank", "bank_name": "Bank Contoh Berhad", "account_number": "0000 8765 4321", "account_holder": "Nurul Hana binti Yusof"}'::jsonb
  end,
  make_date(born, 1 + number % 12, 1 + number % 28)
from demo_influencer;

update app.moderation
set subscription_start_date = date_trunc('day', now() - interval '90 days'), subscription_end_date = date_trunc('day', now() + interval '275 days')
where badge_type <> 'none';

insert into app.agencies (
  id, user_id, name, email, company_name, phone, website, description, location, type, contracts_enabled,
  logo_url, banner_url, gallery, created_at, badge_type)
select
  pg_temp.demo_id(3, number), pg_temp.demo_id(1, 200 + number), name, email, company, phone,
  'https://' || split_part(email, '@', 2), description, location, type, number % 2 = 1,
  pg_temp.demo_image('logos/' || logo), pg_temp.demo_image('banners/ubin-' || banner),
  array(select pg_temp.demo_image('scenes/' || scene) from unnest(gallery) as scene),
  now() - number * interval '29 hours', badge
from demo_agency;

insert into app.vendors (
  id, user_id, name, email, company_name, phone, website, description, location, type, logo_url, created_at, badge_type)
select
  pg_temp.demo_id(4, number), pg_temp.demo_id(1, 300 + number), name, email, company, phone, website, description, location, type,
  pg_temp.demo_image('logos/' || logo), now() - number * interval '31 hours', badge
from demo_vendor;

insert into app.gigs (id, agency_id, title, description, budget, duration, requirements, created_at)
select
  pg_temp.demo_id(5, number), pg_temp.demo_id(3, agency), title, description, budget, duration, requirements,
  now() - number * interval '17 hours'
from demo_gig;
