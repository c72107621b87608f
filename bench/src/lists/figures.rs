//! What is measured, with limits.

use anyhow::Context;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tokio_postgres::Client;

use super::draw;
use super::values::CARD_COLUMNS;
use crate::gateway::Get;
use crate::reader::Who;

pub struct Figure {
    pub name: &'static str,
    pub gets: Vec<Get>,
    pub limit: Option<Limit>,
    pub read_by: &'static [Who],
}

impl Figure {
    fn limited(name: &'static str, gets: Vec<Get>, limit: Limit) -> Self {
        Self { name, gets, limit: Some(limit), read_by: &Who::ALL }
    }

    fn unlimited(name: &'static str, gets: Vec<Get>) -> Self {
        Self { name, gets, limit: None, read_by: &[Who::Visitor] }
    }

    /// Figures without a limit are measured once.
    pub fn repetitions(&self, wanted: usize) -> usize {
        if self.limit.is_some() { wanted } else { 1 }
    }
}

/// A limit in milliseconds for a percentile.
#[derive(Clone, Copy)]
pub struct Limit {
    pub share: f64,
    pub milliseconds: f64,
}

/// Maximum cost of row-level security, relative to the owner's time.
pub const MOST_RATIO: f64 = 1.3;

const PAGE: usize = 24;
const COMBINATIONS: usize = 300;
const SEARCHES: usize = 200;
const DEEP_PAGE: i64 = 40_000;

const MEDIAN: f64 = 0.5;
const P95: f64 = 0.95;

fn below(milliseconds: f64, share: f64) -> Limit {
    Limit { share, milliseconds }
}

/// # Errors
/// When a query for sample values fails.
pub async fn all(client: &Client, seed: u64) -> anyhow::Result<Vec<Figure>> {
    let mut random = StdRng::seed_from_u64(seed);
    let combinations: Vec<Get> =
        (0..COMBINATIONS).map(|_| page(draw::filters(&mut random, influencers()))).collect();
    let searches = searches(client, &mut random).await?;
    let short = (0..40).map(|index| {
        let letters = some_letters(&mut random, 1 + index % 2);
        page(draw::search(influencers(), &letters))
    });
    let short: Vec<Get> = short.collect();
    let counted = |gets: &[Get]| gets.iter().cloned().map(Get::counted).collect();
    Ok(vec![
        Figure::limited("the newest 24", vec![page(influencers())], below(2.0, MEDIAN)),
        Figure::limited("300 combinations of filters", combinations.clone(), below(50.0, P95)),
        Figure::limited("200 three-letter searches", searches.clone(), below(20.0, P95)),
        Figure::limited("page 40,000 by keyset", vec![deep_page(client).await?], below(2.0, MEDIAN)),
        Figure::unlimited("40 searches of one or two letters", short),
        Figure::unlimited("100 of the combinations, with totals", counted(&combinations[..100])),
        Figure::unlimited("100 of the searches, with totals", counted(&searches[..100])),
    ])
}

/// Half of them find something.
async fn searches(client: &Client, random: &mut StdRng) -> anyhow::Result<Vec<Get>> {
    let occurring = letters_that_occur(client).await?;
    let search = |index: usize| {
        let letters = if index.is_multiple_of(2) {
            occurring.choose(random).context("the database has no influencers")?.clone()
        } else {
            some_letters(random, 3)
        };
        Ok(page(draw::search(influencers(), &letters)))
    };
    (0..SEARCHES).map(search).collect()
}

fn influencers() -> Get {
    Get { table: "influencers", ..Get::default() }.with("select", CARD_COLUMNS).with("approved", "eq.true")
}

fn page(get: Get) -> Get {
    get.with("order", "created_at.desc,id.desc").with("limit", PAGE.to_string())
}

fn some_letters(random: &mut StdRng, how_many: usize) -> String {
    (0..how_many).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect()
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
    let row = client
        .query_opt(LAST_BEFORE, &[&(DEEP_PAGE * PAGE as i64 - 1)])
        .await?
        .context("the table is empty")?;
    let (moment, id): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    Ok(page(
        influencers()
            .with("created_at", format!("lte.{moment}"))
            .with("or", format!("(created_at.lt.{moment},and(created_at.eq.{moment},id.lt.{id}))")),
    ))
}
