//! The tables of the admin pages, with limits: 10 ms for a first page, 100 ms for anything with a count.

use tokio_postgres::Client;

use super::{Figure, P95, choices};
use crate::reader::{ADMIN, Get, SUPERADMIN, Who};

type Limit = Option<(f64, f64)>;
const FIRST_PAGE: Limit = Some((P95, 10.0));
/// Text search: the server either reads the newest rows until the page is full, or sorts all matches.
const SEARCHED: Limit = Some((P95, 50.0));
const COUNTED: Limit = Some((P95, 100.0));
const NEWEST: &str = "order=created_at.desc,id.desc&limit=50";
const BY_NAME: &str = "order=name.asc,id.asc&limit=50";

const INFLUENCER: &str = "influencers?select=id,name,username,category,user_id,profile_image,verified,approved,badge_type,profiles(email)";
const BUSINESS: &str =
    "select=id,user_id,name,email,company_name,type,location,logo_url,badge_type,created_at";

/// # Errors
/// When a query for sample values fails.
pub async fn figures(client: &Client) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, query, searched, column, values) in [
        (
            "pre-approved",
            format!("{INFLUENCER}&approved=eq.false"),
            "name username category",
            "category",
            "Fashion Tech",
        ),
        (
            "influencers",
            format!("{INFLUENCER}&approved=eq.true"),
            "name username category",
            "category",
            "Beauty Travel",
        ),
        ("agencies", format!("agencies?{BUSINESS}"), "name company_name", "type", "Marketing PR"),
        (
            "vendors",
            format!("vendors?{BUSINESS}"),
            "name company_name",
            "type",
            "Equipment Catering Technical",
        ),
    ] {
        let get = Get::new(query);
        let mut filters: Vec<_> =
            values.split(' ').map(|value| get.with(format!("{column}=eq.{value}"))).collect();
        for badge in &choices()?["badge_type"] {
            filters.push(get.with(format!("badge_type=eq.{badge}")));
        }
        let words = choices()?["word"].iter().map(|word| search(&get, searched, word)).collect::<Vec<_>>();
        let mails = choices()?["mail"].iter().map(|part| by_mail(&get, part)).collect::<Vec<_>>();
        let all: Vec<_> = [vec![get.clone()], filters.clone(), words.clone(), mails.clone()].concat();
        figures.extend([
            figure(format!("{name}, the newest"), ADMIN, vec![get.clone()], NEWEST, FIRST_PAGE),
            figure(format!("{name}, by name"), ADMIN, vec![get], BY_NAME, FIRST_PAGE),
            figure(format!("{name}, filtered"), ADMIN, filters.clone(), NEWEST, FIRST_PAGE),
            figure(format!("{name}, filtered, by name"), ADMIN, filters, BY_NAME, FIRST_PAGE),
            figure(format!("{name}, searched"), ADMIN, words, NEWEST, SEARCHED),
            figure(format!("{name}, by e-mail"), ADMIN, mails, NEWEST, SEARCHED),
            figure(format!("{name}, any of these with its total"), ADMIN, counted(all), NEWEST, COUNTED),
        ]);
    }
    figures.extend(staff(client).await?);
    figures.extend(audit(client).await?);
    Ok(figures)
}

fn figure(name: String, who: Who, gets: Vec<Get>, order: &str, limit: Limit) -> Figure {
    Figure { name, who, gets: gets.iter().map(|get| get.with(order)).collect(), limit }
}

fn counted(gets: Vec<Get>) -> Vec<Get> {
    gets.into_iter().map(Get::counted).collect()
}

fn search(get: &Get, columns: &str, text: &str) -> Get {
    let terms: Vec<_> = columns.split(' ').map(|column| format!("{column}.ilike.\"%{text}%\"")).collect();
    get.with(format!("or=({})", terms.join(",")))
}

/// Influencers have no e-mail column, so the account's is embedded.
fn by_mail(get: &Get, part: &str) -> Get {
    if !get.query.starts_with("influencers") {
        return get.with(format!("email=ilike.%{part}%"));
    }
    Get::new(get.query.replace("profiles(", "profiles!inner(")).with(format!("profiles.email=ilike.%{part}%"))
}

async fn staff(client: &Client) -> anyhow::Result<Vec<Figure>> {
    const SOME: &str = "select string_agg(id::text, ',') from (select id from app.profiles order by id desc limit 50) as page";
    let ids: String = client.query_one(SOME, &[]).await?.try_get(0)?;
    let roles =
        "user_roles?select=user_id,role&role=in.(admin,superadmin)&order=role.desc,user_id.asc&limit=50";
    let emails = format!("profiles?select=id,email&id=in.({ids})");
    let figure = |name: &str, query: &str, limit| Figure {
        name: name.to_owned(),
        who: SUPERADMIN,
        gets: vec![Get::new(query)],
        limit,
    };
    Ok(vec![
        figure("counts of all tabs", "moderation_counts?select=*", COUNTED),
        figure("admin users", roles, FIRST_PAGE),
        figure("e-mails of a page", &emails, FIRST_PAGE),
    ])
}

async fn audit(client: &Client) -> anyhow::Result<Vec<Figure>> {
    const MIDDLE: &str = "select to_json(created_at) #>> '{}', subject_id::text, actor_id::text, id::text
        from app.audit_log order by created_at desc, id desc offset (select count(*) / 2 from app.audit_log) limit 1";
    let row = client.query_one(MIDDLE, &[]).await?;
    let (moment, subject, actor, id): (String, String, String, String) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
    let log = Get::new("audit_log?select=*");
    let actions = ["approve", "set_badge", "delete_profile", "grant_role", "revoke_role"];
    let mut by_action: Vec<_> = actions.map(|action| log.with(format!("action=eq.{action}"))).into();
    by_action.push(log.with("action=in.(grant_role,revoke_role)"));
    let by_actor = log.with(format!("actor_id=eq.{actor}"));
    let both = by_actor.with("action=in.(approve,grant_role)");
    let day = log.with(format!("created_at=lte.{moment}"));
    let later = day.with(format!("or=(created_at.lt.{moment},and(created_at.eq.{moment},id.lt.{id}))"));
    let words = choices()?["word"].iter().map(|word| search(&log, "subject actor", word)).collect::<Vec<_>>();
    let groups = [
        ("the newest", vec![log.clone()]),
        ("by action", by_action),
        ("by actor", vec![by_actor, both]),
        ("by subject", vec![log.with(format!("subject_id=eq.{subject}"))]),
        ("by time", vec![day, later]),
    ];
    let named =
        |what: &str, gets, limit| figure(format!("audit log, {what}"), SUPERADMIN, gets, NEWEST, limit);
    let mut figures: Vec<_> =
        groups.iter().map(|(what, gets)| named(what, gets.clone(), FIRST_PAGE)).collect();
    figures.push(named("searched", words.clone(), SEARCHED));
    let all = groups.into_iter().flat_map(|(_, gets)| gets).chain(words).collect();
    figures.push(named("any of these with its total", counted(all), COUNTED));
    Ok(figures)
}
