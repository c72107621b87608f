use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::ground::{Column, Function, Link, Person, Table};
use super::request::Caller;
use super::*;

/// What the generator might read from a server.
fn ground() -> Ground {
    let column = |name: &str, kind: &str| Column {
        name: name.to_owned(),
        kind: kind.to_owned(),
        pool: vec!["1".to_owned()],
    };
    let columns = vec![
        column("id", "int4"),
        column("user_id", "uuid"),
        column("document", "jsonb"),
        column("odd name", "_text"),
    ];
    let table = |schema: &str, name: &str| Table {
        schema: schema.to_owned(),
        name: name.to_owned(),
        columns: columns.clone(),
        embeds: vec!["parents".to_owned(), "parents!items_parent_id_fkey".to_owned()],
    };
    let text = |number: usize| format!("5e7b0001-0000-4000-8000-{number:012}");
    Ground {
        tables: vec![table("public", "influencers"), table("fuzz", "items"), table("fuzz", "parents")],
        functions: vec![
            Function { name: "add".to_owned(), arguments: vec![("a".to_owned(), "int4".to_owned())] },
            Function { name: "raw_bytes".to_owned(), arguments: vec![(String::new(), "bytea".to_owned())] },
        ],
        people: vec![Person { caller: Caller::Approved, id: text(1), email: "a@serasi.test".to_owned() }],
        expendable_ids: (0..9).map(text).collect(),
        expendable_emails: vec!["b@serasi.test".to_owned()],
        links: vec![Link {
            kind: "recovery".to_owned(),
            email: "b@serasi.test".to_owned(),
            token_hash: "x".to_owned(),
            code: "1".to_owned(),
        }],
        objects: vec!["images/a.png".to_owned()],
        signed: vec!["/object/sign/images/a.png?token=x".to_owned()],
        pictures: pictures::all().unwrap(),
        ..Ground::default()
    }
}

/// Generated once for all tests.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let ground = ground();
    let attacks = (0..12_000).map(|index| generate(1, index, &ground));
    let requests = attacks.filter_map(|attack| match attack {
        Attack::Http(request) => Some(request),
        Attack::Raw(_) => None,
    });
    requests.collect()
});

#[test]
fn a_seed_and_a_number_identify_one_request() {
    let ground = ground();
    for index in 0..500 {
        assert_eq!(generate(3, index, &ground), generate(3, index, &ground));
    }
    let differ =
        (0..500).filter(|index| generate(3, *index, &ground) != generate(4, *index, &ground)).count();
    assert!(differ > 490, "{differ}");
}

#[test]
fn every_route_is_requested() {
    let seen: BTreeSet<_> = REQUESTS.iter().map(|request| (request.method, request.template)).collect();
    let routes = auth::ROUTES.iter().chain(storage::ROUTES).map(|(method, path, _)| (*method, *path));
    let gateway = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]
        .map(|method| (method, "/rest/v1/{table}"));
    let functions = functions::PATHS.iter().map(|path| ("POST", *path));
    let calls = ["GET", "POST"].map(|method| (method, "/rest/v1/rpc/{function}"));
    let missing: Vec<_> =
        routes.chain(gateway).chain(functions).chain(calls).filter(|route| !seen.contains(route)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_production_of_the_grammar_is_reached() {
    let mut everything = String::new();
    for request in REQUESTS.iter().filter(|request| request.template.starts_with("/rest/")) {
        let target = percent_encoding::percent_decode(&request.target).decode_utf8_lossy().into_owned();
        everything.push_str(&format!("\n{} {target}", request.method));
        for (name, value) in &request.headers {
            everything.push_str(&format!("\n{name}: {}", String::from_utf8_lossy(value)));
        }
    }
    let mut wanted: Vec<String> = gateway::OPERATORS.iter().map(|operator| format!(".{operator}.")).collect();
    wanted.extend(
        gateway::MODIFIABLE
            .iter()
            .flat_map(|operator| ["any", "all"].map(|all| format!("{operator}({all})."))),
    );
    wanted.extend(gateway::PREFERENCES.iter().map(ToString::to_string));
    wanted.extend(gateway::MEDIA_TYPES.iter().map(|kind| format!("accept: {kind}")));
    wanted.extend(
        values::NASTY.iter().filter(|value| !value.contains(['\r', '%', '#'])).map(ToString::to_string),
    );
    wanted.extend(
        [
            "...parents(",
            "!inner",
            "::numeric",
            "->>",
            ".sum()",
            "and=(",
            "not.or=(",
            "order=",
            "limit=",
            "offset=",
            "columns=",
            "on_conflict=",
            "range: ",
            "content-profile: ",
            "accept-profile: ",
            "fts(english)",
            "other:parents",
            "text/csv",
            "application/x-www-form-urlencoded",
        ]
        .map(str::to_owned),
    );
    let missing: Vec<_> =
        wanted.into_iter().filter(|production| !everything.contains(production.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_kind_of_malformed_http_is_generated() {
    let ground = ground();
    let seen: BTreeSet<_> = (0..12_000)
        .filter_map(|index| match generate(1, index, &ground) {
            Attack::Raw(case) => Some(case.kind),
            Attack::Http(_) => None,
        })
        .collect();
    assert_eq!(seen, raw_cases::kinds().collect());
}

#[test]
fn privileged_callers_change_only_generated_accounts() {
    for request in REQUESTS.iter().filter(|request| request.caller.is_privileged()) {
        let target = String::from_utf8_lossy(&request.target);
        if request.method == "PATCH" && target.starts_with("/rest/v1/influencers?") {
            assert!(target.contains("?user_id=gte.5e7b0000-"), "{target}");
        }
        if request.method == "DELETE" && target.starts_with("/rest/v1/influencers?") {
            assert!(target.contains("?user_id=eq.5e7b0001-"), "{target}");
        }
        if request.method == "DELETE" && request.caller == Caller::Service {
            assert!(!target.starts_with("/storage/v1/object/images"), "{target}");
        }
    }
}

/// Each hash occupies a core for tens of milliseconds, so too many of them would leave little time for other tests.
#[test]
fn few_requests_hash_a_password() {
    let hashing = REQUESTS.iter().filter(|request| {
        let body = String::from_utf8_lossy(request.body.as_deref().unwrap_or_default());
        body.contains("Fuzz-password") || request.template.ends_with("/invite")
    });
    let hashing = hashing.count();
    assert!((20..400).contains(&hashing), "{hashing} of 12,000");
}
