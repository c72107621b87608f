//! The choices on the search pages (specification, section 9), whether or not any profile has them, and
//! typical search input.

pub const CARD_COLUMNS: &str = "id,name,username,category,bio,location,profile_image,badge_type,\
    instagram_followers,tiktok_followers,youtube_followers,twitter_followers,created_at";

pub const CATEGORY_ROW: &[&str] = &["Fashion", "Tech", "Gaming", "Lifestyle", "Beauty", "Travel"];

pub const EXPLORE_INDUSTRIES: &[&str] = &[
    "Fashion",
    "Beauty",
    "Tech",
    "Gaming",
    "Lifestyle",
    "Travel",
    "Fitness",
    "Food",
    "Business",
    "Entertainment",
    "Education",
    "Sports",
];

pub const SEARCH_INDUSTRIES: &[&str] = &[
    "Fashion",
    "Beauty",
    "Fitness",
    "Health",
    "Food",
    "Travel",
    "Lifestyle",
    "Tech",
    "Gaming",
    "Business",
    "Finance",
    "Entertainment",
    "Education",
    "Sports",
];

pub const SEARCH_LANGUAGES: &[&str] = &[
    "English",
    "Spanish",
    "French",
    "German",
    "Italian",
    "Portuguese",
    "Chinese",
    "Japanese",
    "Korean",
    "Arabic",
    "Hindi",
    "Russian",
];

pub const EXPLORE_LANGUAGES: &[&str] = &[
    "English",
    "Spanish",
    "French",
    "German",
    "Italian",
    "Portuguese",
    "Chinese",
    "Japanese",
    "Korean",
    "Arabic",
    "Hindi",
    "Russian",
    "Other",
];

pub const SEARCH_ETHNICITIES: &[&str] =
    &["Asian", "Caucasian", "Hispanic", "African", "Indian", "Mixed", "Other"];

pub const EXPLORE_ETHNICITIES: &[&str] = &[
    "Malay",
    "Chinese",
    "Indian",
    "Singh",
    "Iban",
    "Bidayuh",
    "Melanau",
    "Orang Ulu",
    "Penan",
    "Kadazan",
    "Dusun",
    "Bajau",
    "Murut",
    "Rungus",
    "Suluk",
    "Brunei Malay",
    "Kedayan",
    "Kelabit",
    "Kayan",
    "Kenyah",
    "Lun Bawang",
    "Bisaya",
    "Berawan",
    "Sungai",
    "Orang Asli",
    "Semai",
    "Temiar",
    "Jakun",
    "Peranakan",
    "Kristang",
    "Chitty",
    "Eurasian",
    "Mixed",
];

/// `none` is shown as 'No Verification'.
pub const BADGES: &[&str] = &["none", "blue", "gold", "platinum"];

pub const PLATFORMS: &[&str] = &[
    "instagram_followers_count",
    "tiktok_followers_count",
    "youtube_followers_count",
    "twitter_followers_count",
];

pub const SLIDER_END: i64 = 10_000_000;
pub const SLIDER_STEP: i64 = 10_000;

pub const FOLLOWER_RANGES: &[(i64, i64)] = &[
    (0, 5_000),
    (5_000, 20_000),
    (20_000, 100_000),
    (100_000, 500_000),
    (500_000, 1_000_000),
    (1_000_000, 5_000_000),
    (5_000_000, 10_000_000),
    (10_000_000, 999_999_999),
];

pub const AGES: (i64, i64) = (18, 60);

/// Whole places, prefixes as typed, and places without profiles.
pub const PLACES: &[&str] = &[
    "Kuala Lumpur",
    "kuala",
    "Johor",
    "johor bahru",
    "Kuching",
    "kuch",
    "Melaka",
    "Ipoh",
    "George Town",
    "penang",
    "Kota",
    "kota kinabalu",
    "Sibu",
    "Putrajaya",
    "jaya",
    "Singapore",
    "Bangkok",
    "Jakarta",
    "Langkawi",
];

/// Names, parts of names, categories, and words that match nobody.
pub const WORDS: &[&str] = &[
    "aina",
    "Hassan",
    "tan",
    "Wei Jie",
    "nur",
    "fashion",
    "food",
    "tech",
    "gaming",
    "lim",
    "karthik",
    "anak",
    "Kuala",
    "zaid.rahim",
    "meena",
    "batik",
    "kopi",
    "qqq",
    "xyz",
    "smith",
    "john",
    "stella",
    "bal",
    "yong",
];
