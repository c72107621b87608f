//! What is measured, with limits: 10 ms for a first page, 100 ms for anything with a count.

use tokio_postgres::Client;

use crate::gateway::Get;
use crate::lists::values::{BADGES, CATEGORY_ROW, WORDS};
use crate::reader::Who;

pub struct Figure {
    pub name: String,
    pub gets: Vec<Get>,
    /// Limit in milliseconds for the 95th percentile.
    pub limit: Option<f64>,
    pub read_by: Who,
}

const PAGE: usize = 50;
const FIRST_PAGE: Option<f64> = Some(10.0);
/// Text search: the server either reads the newest rows until the page is full, or sorts all matches.
const SEARCHED: Option<f64> = Some(50.0);
const COUNTED: Option<f64> = Some(100.0);
const NEWEST: &str = "created_at.desc,id.desc";
const BY_NAME: &str = "name.asc,id.asc";
const MAIL_PARTS: &[&str] = &["1234@seed", "r77@", "@seed.serasi.test", "nobody@", "99@se"];

/// A table of the admin pages.
struct Table {
    of: &'static str,
    get: Get,
    searched: &'static [&'static str],
    filters: Vec<(&'static str, &'static str)>,
}

/// # Errors
/// When a query for sample values fails.
pub async fn all(client: &Client) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for table in tables() {
        figures.extend(of_table(&table));
    }
    figures.extend(staff(client).await?);
    figures.extend(audit(client).await?);
    Ok(figures)
}

fn tables() -> Vec<Table> {
    const INFLUENCER: &str =
        "id,name,username,category,user_id,profile_image,verified,approved,badge_type,profiles(email)";
    const BUSINESS: &str = "id,user_id,name,email,company_name,type,location,logo_url,badge_type,created_at";
    let badges = || BADGES.iter().map(|badge| ("badge_type", *badge));
    let influencers = |of, approved: &str| Table {
        of,
        get: get("influencers", INFLUENCER).with("approved", format!("eq.{approved}")),
        searched: &["name", "username", "category"],
        filters: badges().chain(CATEGORY_ROW.iter().map(|category| ("category", *category))).collect(),
    };
    let business = |of, types: &'static [&'static str]| Table {
        of,
        get: get(of, BUSINESS),
        searched: &["name", "company_name"],
        filters: badges().chain(types.iter().map(|name| ("type", *name))).collect(),
    };
    vec![
        influencers("pre-approved", "false"),
        influencers("influencers", "true"),
        business("agencies", &["Marketing", "PR", "Talent Search"]),
        business("vendors", &["Equipment", "Services", "Catering", "Production", "Technical"]),
    ]
}

fn of_table(table: &Table) -> Vec<Figure> {
    let filtered = || {
        table.filters.iter().map(move |(column, value)| table.get.clone().with(column, format!("eq.{value}")))
    };
    let searched = || WORDS.iter().map(move |word| search(&table.get, table.searched, word));
    let by_mail = || MAIL_PARTS.iter().map(move |part| by_mail(&table.get, part));
    let everything: Vec<Get> =
        [table.get.clone()].into_iter().chain(filtered()).chain(searched()).chain(by_mail()).collect();
    let figure = |what: &str, gets: Vec<Get>, order: &str, limit| Figure {
        name: format!("{}, {what}", table.of),
        gets: gets.into_iter().map(|get| page(get, order)).collect(),
        limit,
        read_by: Who::Admin,
    };
    vec![
        figure("the newest", vec![table.get.clone()], NEWEST, FIRST_PAGE),
        figure("by name", vec![table.get.clone()], BY_NAME, FIRST_PAGE),
        figure("filtered", filtered().collect(), NEWEST, FIRST_PAGE),
        figure("filtered, by name", filtered().collect(), BY_NAME, FIRST_PAGE),
        figure("searched", searched().collect(), NEWEST, SEARCHED),
        figure("by e-mail", by_mail().collect(), NEWEST, SEARCHED),
        figure(
            "any of these with its total",
            everything.into_iter().map(Get::counted).collect(),
            NEWEST,
            COUNTED,
        ),
    ]
}

async fn staff(client: &Client) -> anyhow::Result<Vec<Figure>> {
    const SOME: &str = "select string_agg(id::text, ',') from (select id from app.profiles order by id desc limit 50) as page";
    let ids: String = client.query_one(SOME, &[]).await?.try_get(0)?;
    let roles = get("user_roles", "user_id,role").with("role", "in.(admin,superadmin)");
    let figure = |name: &str, get: Get, limit| Figure {
        name: name.to_owned(),
        gets: vec![get],
        limit,
        read_by: Who::Superadmin,
    };
    Ok(vec![
        figure("counts of all tabs", get("moderation_counts", "*"), COUNTED),
        figure("admin users", page(roles, "role.desc,user_id.asc"), FIRST_PAGE),
        figure(
            "e-mails of a page",
            get("profiles", "id,email").with("id", format!("in.({ids})")),
            FIRST_PAGE,
        ),
    ])
}

async fn audit(client: &Client) -> anyhow::Result<Vec<Figure>> {
    const MIDDLE: &str = "select to_json(created_at) #>> '{}', subject_id::text, actor_id::text, id::text
        from app.audit_log order by created_at desc, id desc offset (select count(*) / 2 from app.audit_log) limit 1";
    let row = client.query_one(MIDDLE, &[]).await?;
    let (moment, subject, actor, id): (String, String, String, String) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
    let log = || get("audit_log", "*");
    let actions =
        ["approve", "set_badge", "delete_profile", "grant_role", "revoke_role", "(grant_role,revoke_role)"];
    let by_action: Vec<Get> = actions
        .iter()
        .map(|action| {
            log().with("action", format!("{}.{action}", if action.starts_with('(') { "in" } else { "eq" }))
        })
        .collect();
    let by_text: Vec<Get> = WORDS
        .iter()
        .chain(&["moderator7@"])
        .map(|word| search(&log(), &["subject", "actor"], word))
        .collect();
    let day = log().with("created_at", format!("lte.{moment}"));
    let later =
        day.clone().with("or", format!("(created_at.lt.{moment},and(created_at.eq.{moment},id.lt.{id}))"));
    let both = log().with("actor_id", format!("eq.{actor}")).with("action", "in.(approve,grant_role)");
    let groups = [
        ("the newest", vec![log()]),
        ("by action", by_action),
        ("by actor", vec![log().with("actor_id", format!("eq.{actor}")), both]),
        ("by subject", vec![log().with("subject_id", format!("eq.{subject}"))]),
        ("by time", vec![day, later]),
    ];
    let mut figures: Vec<Figure> =
        groups.iter().map(|(what, gets)| audit_figure(what, gets.iter().cloned(), FIRST_PAGE)).collect();
    figures.push(audit_figure("searched", by_text.iter().cloned(), SEARCHED));
    let counted = groups.into_iter().flat_map(|(_, gets)| gets).chain(by_text).map(Get::counted);
    figures.push(audit_figure("any of these with its total", counted, COUNTED));
    Ok(figures)
}

fn audit_figure(what: &str, gets: impl Iterator<Item = Get>, limit: Option<f64>) -> Figure {
    Figure {
        name: format!("audit log, {what}"),
        gets: gets.map(|get| page(get, NEWEST)).collect(),
        limit,
        read_by: Who::Superadmin,
    }
}

fn get(table: &'static str, columns: &str) -> Get {
    Get { table, ..Get::default() }.with("select", columns)
}

fn page(get: Get, order: &str) -> Get {
    get.with("order", order).with("limit", PAGE.to_string())
}

fn search(get: &Get, columns: &[&str], text: &str) -> Get {
    let terms: Vec<String> = columns.iter().map(|column| format!("{column}.ilike.\"%{text}%\"")).collect();
    get.clone().with("or", format!("({})", terms.join(",")))
}

/// Influencers have no e-mail column, so the account's is embedded.
fn by_mail(get: &Get, part: &str) -> Get {
    let pattern = format!("ilike.%{part}%");
    if get.table != "influencers" {
        return get.clone().with("email", pattern);
    }
    let mut get = get.clone().with("profiles.email", pattern);
    for (name, value) in &mut get.parameters {
        if *name == "select" {
            *value = value.replace("profiles(", "profiles!inner(");
        }
    }
    get
}
