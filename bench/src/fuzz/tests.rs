use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::ground::{Function, Picture, Table};
use super::people::Person;
use super::request::Caller;
use super::*;

/// What the generator might read from a server.
fn ground() -> Ground {
    let column = |name: &str, kind: &str| {
        Rc::new(Column { name: name.to_owned(), kind: kind.to_owned(), pool: vec!["1".to_owned()] })
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
    let function = |name: &str, argument: &str, kind: &str| Function {
        name: name.to_owned(),
        arguments: vec![(argument.to_owned(), kind.to_owned())],
    };
    let mut ground = Ground {
        tables: vec![table("public", "influencers"), table("fuzz", "items"), table("fuzz", "parents")],
        functions: vec![function("add", "a", "int4"), function("raw_bytes", "", "bytea")],
        people: vec![Person { caller: Caller::Approved, id: text(1), email: "a@serasi.test".to_owned() }],
        pictures: vec![Picture { name: "a.png".to_owned(), mime_type: "image/png", bytes: vec![7; 100] }],
        ..Ground::default()
    };
    (0..9).for_each(|number| ground.add("id", text(number)));
    for (pool, value) in [
        ("email", "b@serasi.test"),
        ("own_email", "c@serasi.test"),
        ("fresh_token_hash", "x"),
        ("refresh_token", "y"),
        ("expendable_row", "12"),
        ("stored", "images/a.png"),
        ("signed", "/object/sign/images/a.png?token=x"),
    ] {
        ground.add(pool, value);
    }
    ground
}

/// Generated once for all tests.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let ground = ground();
    let generator = Generator { seed: 1, ground: &ground };
    (0..12_000).map(|index| generator.request(index).unwrap()).collect()
});

#[test]
fn a_seed_and_a_number_identify_one_request() {
    let ground = ground();
    let [generator, other] = [1, 4].map(|seed| Generator { seed, ground: &ground });
    for (index, request) in (0..500).zip(REQUESTS.iter()) {
        assert_eq!(generator.request(index).unwrap(), *request);
    }
    let differ =
        (0..500).zip(REQUESTS.iter()).filter(|(index, request)| other.request(*index).unwrap() != **request);
    let differ = differ.count();
    assert!(differ > 490, "{differ}");
}

#[test]
fn every_route_is_requested() {
    let seen: BTreeSet<_> =
        REQUESTS.iter().map(|request| (request.method.clone(), request.template.clone())).collect();
    let routes =
        routes::ROUTES.iter().map(|route| (route.method, route.path.split('?').next().unwrap_or_default()));
    let kinds: Vec<String> = malformed::kinds().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds.len(), 15);
    let malformed = kinds.iter().map(|kind| ("raw", kind.as_str()));
    let all = routes.chain(malformed);
    let missing: Vec<_> =
        all.filter(|(method, path)| !seen.contains(&((*method).to_owned(), (*path).to_owned()))).collect();
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
    let mut wanted: Vec<String> = texts("operator").iter().map(|name| format!(".{name}.")).collect();
    wanted.extend(texts("preference"));
    wanted.extend(texts("media type").iter().map(|kind| format!("accept: {kind}")));
    wanted.extend(texts("nasty").into_iter().filter(|value| !value.contains(['\r', '%', '#'])));
    let productions = [
        "any)",
        "all)",
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
    ];
    wanted.extend(productions.map(str::to_owned));
    let missing: Vec<_> =
        wanted.into_iter().filter(|production| !everything.contains(production.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_list_of_words_is_known() {
    let texts: String = REQUESTS
        .iter()
        .map(|request| {
            let body = String::from_utf8_lossy(request.body.as_deref().unwrap_or_default());
            format!("{}{body}", String::from_utf8_lossy(&request.target))
        })
        .collect();
    assert!(!texts.contains("no list ") && !texts.contains("no%20list"));
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

fn texts(list: &str) -> Vec<String> {
    grammar::WORDS[list].iter().map(grammar::as_text).collect()
}
