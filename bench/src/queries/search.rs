//! The three search pages, as the frontend requests them.

use std::collections::BTreeMap;

use anyhow::Context;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tokio_postgres::Client;

use super::{CARD, Figure, P95, choices};
use crate::reader::{Get, Who};

const SEED: u64 = 3;
/// Probability that a filter is set.
const SET: f64 = 0.35;
const COMBINATIONS: usize = 300;
const SEARCHES: usize = 200;
const DEEP_PAGE: i64 = 40_000;
const PAGE: i64 = 24;

/// # Errors
/// When a query for sample values fails.
pub async fn figures(client: &Client) -> anyhow::Result<Vec<Figure>> {
    let (mut random, choices) = (StdRng::seed_from_u64(SEED), choices()?);
    let combinations: Vec<Get> = (0..COMBINATIONS).map(|_| page(&filters(&mut random, &choices))).collect();
    let occurring = letters_that_occur(client).await?;
    let searches = (0..SEARCHES).map(|index| {
        // Half of them find something.
        let known = occurring.choose(&mut random).filter(|_| index.is_multiple_of(2)).cloned();
        page(&search(&influencers(), &known.unwrap_or_else(|| some_letters(&mut random, 3))))
    });
    let searches: Vec<Get> = searches.collect();
    let short = (0..40).map(|index| page(&search(&influencers(), &some_letters(&mut random, 1 + index % 2))));
    let short: Vec<Get> = short.collect();
    let counted = |gets: &[Get]| gets.iter().cloned().map(Get::counted).collect();
    let figure = |name: &str, gets, limit| Figure { name: name.to_owned(), who: Who::Visitor, gets, limit };
    Ok(vec![
        figure("the newest 24", vec![page(&influencers())], Some((0.5, 2.0))),
        figure("300 combinations of filters", combinations.clone(), Some((P95, 50.0))),
        figure("200 three-letter searches", searches.clone(), Some((P95, 20.0))),
        figure("page 40,000 by keyset", vec![deep_page(client).await?], Some((0.5, 2.0))),
        figure("40 searches of one or two letters", short, None),
        figure("100 of the combinations, with totals", counted(&combinations[..100]), None),
        figure("100 of the searches, with totals", counted(&searches[..100]), None),
    ])
}

fn influencers() -> Get {
    Get::new(format!("influencers?select={CARD}&approved=eq.true"))
}

fn page(get: &Get) -> Get {
    get.with(format!("order=created_at.desc,id.desc&limit={PAGE}"))
}

fn search(get: &Get, text: &str) -> Get {
    let pattern = format!("\"%{text}%\"");
    get.with(format!("or=(name.ilike.{pattern},username.ilike.{pattern},category.ilike.{pattern})"))
}

fn some_letters(random: &mut StdRng, how_many: usize) -> String {
    (0..how_many).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect()
}

/// A random page with at least one filter set.
fn filters(random: &mut StdRng, choices: &BTreeMap<String, Vec<String>>) -> Get {
    let plain = influencers();
    loop {
        let mut get = plain.clone();
        let choose = |list: &str, random: &mut StdRng| {
            let choice = choices.get(list).and_then(|list| list.choose(random)).cloned();
            choice.filter(|_| random.random_bool(SET))
        };
        if let Some(word) = choose("word", random) {
            get = search(&get, &word);
        }
        for column in ["category", "language", "ethnicity", "badge_type"] {
            if let Some(value) = choose(column, random) {
                get = get.with(format!("{column}=eq.{value}"));
            }
        }
        if let Some(place) = choose("place", random) {
            get = get.with(format!("or=(location.ilike.\"%{place}%\")"));
        }
        if let Some(platform) = choose("platform", random) {
            let [one, two] = [0; 2].map(|_| 10_000 * random.random_range(0..1000_i64));
            get = get.with(format!("{platform}=gte.{}&{platform}=lte.{}", one.min(two), one.max(two)));
        }
        if random.random_bool(SET) {
            let [one, two] = [0; 2].map(|_| random.random_range(18..=60));
            let (youngest, oldest) = (one.min(two), one.max(two));
            // One of the pages never excludes profiles without an age.
            get = get.with(if random.random_bool(0.3) {
                format!("or=(age.is.null,and(age.gte.{youngest},age.lte.{oldest}))")
            } else {
                format!("age=gte.{youngest}&age=lte.{oldest}")
            });
        }
        if get.query != plain.query {
            return get;
        }
    }
}

/// Three-character substrings of sampled names, usernames and categories. The sample is deterministic.
async fn letters_that_occur(client: &Client) -> anyhow::Result<Vec<String>> {
    const SOME: &str = "select distinct lower(substr(word, 1 + mod(length(word) + n, length(word) - 2), 3)) as letters
        from (
          select row_number() over (order by id)::integer as n, unnest(array[name, username, category]::text[]) as word
          from app.influencers where mod(hashtext(id::text), 97) = 0
        ) as words
        where length(word) > 2 order by letters";
    let rows = client.query(SOME, &[]).await.context("search samples")?;
    let mut letters: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    letters.retain(|letters| letters.chars().all(char::is_alphanumeric));
    Ok(letters)
}

/// The keyset request after the given number of rows, or the last page of a smaller table.
async fn deep_page(client: &Client) -> anyhow::Result<Get> {
    const LAST_BEFORE: &str =
        "select to_json(created_at) #>> '{}', id::text from app.influencers where approved
        order by created_at desc, id desc
        offset (select greatest(0, least($1, count(*) - 25)) from app.influencers where approved) limit 1";
    let row =
        client.query_opt(LAST_BEFORE, &[&(DEEP_PAGE * PAGE - 1)]).await?.context("the table is empty")?;
    let (moment, id): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    Ok(page(&influencers().with(format!(
        "created_at=lte.{moment}&or=(created_at.lt.{moment},and(created_at.eq.{moment},id.lt.{id}))"
    ))))
}
