//! Random requests of the three search pages, as the frontend sends them.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::values::{
    AGES, BADGES, CATEGORY_ROW, EXPLORE_ETHNICITIES, EXPLORE_INDUSTRIES, EXPLORE_LANGUAGES, FOLLOWER_RANGES,
    PLACES, PLATFORMS, SEARCH_ETHNICITIES, SEARCH_INDUSTRIES, SEARCH_LANGUAGES, SLIDER_END, SLIDER_STEP,
    WORDS,
};
use crate::gateway::Get;

/// Probability that a filter is set.
const SET: f64 = 0.35;

/// A random page with at least one filter set.
pub fn filters(random: &mut StdRng, get: Get) -> Get {
    loop {
        let plain = get.parameters.len();
        let drawn = match random.random_range(0..3) {
            0 => explore(random, get.clone()),
            1 => search_page(random, get.clone()),
            _ => influencer_search(random, get.clone()),
        };
        if drawn.parameters.len() > plain {
            return drawn;
        }
    }
}

pub fn search(get: Get, text: &str) -> Get {
    let pattern = format!("\"%{text}%\"");
    get.with("or", format!("(name.ilike.{pattern},username.ilike.{pattern},category.ilike.{pattern})"))
}

/// `/explore`: once the panel's filters are applied, profiles without an age are excluded.
fn explore(random: &mut StdRng, get: Get) -> Get {
    let get = maybe_search(random, get);
    let get = maybe_equal(random, get, "category", CATEGORY_ROW);
    let before_panel = get.parameters.len();
    let get = maybe_equal(random, get, "category", EXPLORE_INDUSTRIES);
    let get = slider(random, get);
    let get = place(random, get);
    let get = maybe_equal(random, get, "language", EXPLORE_LANGUAGES);
    let get = maybe_equal(random, get, "ethnicity", EXPLORE_ETHNICITIES);
    let get = badge(random, get);
    let moved = ages(random);
    if moved.is_none() && get.parameters.len() == before_panel {
        return get;
    }
    let (youngest, oldest) = moved.unwrap_or(AGES);
    get.with("age", format!("gte.{youngest}")).with("age", format!("lte.{oldest}"))
}

/// `/search`: profiles without an age are never excluded.
fn search_page(random: &mut StdRng, get: Get) -> Get {
    let get = maybe_search(random, get);
    let get = maybe_equal(random, get, "category", SEARCH_INDUSTRIES);
    let get = slider(random, get);
    let get = place(random, get);
    let get = maybe_equal(random, get, "language", SEARCH_LANGUAGES);
    let get = maybe_equal(random, get, "ethnicity", SEARCH_ETHNICITIES);
    let get = badge(random, get);
    match ages(random) {
        Some((youngest, oldest)) => {
            get.with("or", format!("(age.is.null,and(age.gte.{youngest},age.lte.{oldest}))"))
        }
        None => get,
    }
}

/// `/search/influencers`: profiles without an age are excluded once an age bound is moved.
fn influencer_search(random: &mut StdRng, get: Get) -> Get {
    let get = maybe_equal(random, get, "category", CATEGORY_ROW);
    let get = range(random, get, "instagram_followers_count");
    let get = range(random, get, "tiktok_followers_count");
    let get = place(random, get);
    let get = maybe_equal(random, get, "language", SEARCH_LANGUAGES);
    let get = maybe_equal(random, get, "ethnicity", EXPLORE_ETHNICITIES);
    let get = badge(random, get);
    match ages(random) {
        Some((youngest, oldest)) => {
            get.with("age", format!("gte.{youngest}")).with("age", format!("lte.{oldest}"))
        }
        None => get,
    }
}

fn maybe_search(random: &mut StdRng, get: Get) -> Get {
    match WORDS.choose(random) {
        Some(word) if random.random_bool(SET) => search(get, word),
        _ => get,
    }
}

fn maybe_equal(random: &mut StdRng, get: Get, column: &'static str, values: &[&str]) -> Get {
    match values.choose(random) {
        Some(value) if random.random_bool(SET) => get.with(column, format!("eq.{value}")),
        _ => get,
    }
}

fn place(random: &mut StdRng, get: Get) -> Get {
    match PLACES.choose(random) {
        Some(place) if random.random_bool(SET) => get.with("or", format!("(location.ilike.\"%{place}%\")")),
        _ => get,
    }
}

fn badge(random: &mut StdRng, get: Get) -> Get {
    maybe_equal(random, get, "badge_type", BADGES)
}

fn slider(random: &mut StdRng, get: Get) -> Get {
    let column = PLATFORMS.choose(random).copied().unwrap_or("instagram_followers_count");
    if !random.random_bool(SET) {
        return get;
    }
    let mut step = || SLIDER_STEP * random.random_range(0..=SLIDER_END / SLIDER_STEP);
    let (one, two) = (step(), step());
    bounded(get, column, one.min(two), one.max(two), SLIDER_END)
}

fn range(random: &mut StdRng, get: Get, column: &'static str) -> Get {
    match FOLLOWER_RANGES.choose(random) {
        Some(&(least, most)) if random.random_bool(SET) => bounded(get, column, least, most, i64::MAX),
        _ => get,
    }
}

/// A bound at the end of the scale is not sent.
fn bounded(mut get: Get, column: &'static str, least: i64, most: i64, end: i64) -> Get {
    if least > 0 {
        get = get.with(column, format!("gte.{least}"));
    }
    if most < end {
        get = get.with(column, format!("lte.{most}"));
    }
    get
}

fn ages(random: &mut StdRng) -> Option<(i64, i64)> {
    let (one, two) = (random.random_range(AGES.0..=AGES.1), random.random_range(AGES.0..=AGES.1));
    random.random_bool(SET).then_some((one.min(two), one.max(two)))
}
