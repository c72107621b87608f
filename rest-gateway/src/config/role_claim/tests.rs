use super::*;
use serde_json::json;

fn find(path: &str) -> Option<Value> {
    let claims = json!({ "role": "a", "https://x": { "roles": ["one", "app_two"] } });
    RoleClaim::parse(path).unwrap().find(claims.as_object().unwrap())
}

#[test]
fn paths_select_values() {
    assert_eq!(find(".role"), Some(json!("a")));
    assert_eq!(find(".\"https://x\".roles[1]"), Some(json!("app_two")));
    assert_eq!(find(".\"https://x\".roles[?(@ ^== \"app\")]"), Some(json!("app_two")));
    assert_eq!(find(".\"https://x\".roles[?(@ == 'none')]"), None);
    assert_eq!(find(".nothing.there"), None);
    for (slice, part) in
        [("[4:]", "two"), ("[:-4]", "app"), ("[1:-2]", "pp_t"), ("[:]", "app_two"), ("[9:]", "")]
    {
        assert_eq!(find(&format!(".\"https://x\".roles[1]{slice}")), Some(json!(part)), "{slice}");
    }
    assert_eq!(find(".\"https://x\".roles[?(@ *== \"_\")][:3]"), Some(json!("app")));
    assert_eq!(find(".\"https://x\".roles[:3]"), None);
    assert_eq!(find("$.role"), Some(json!("a")));
    assert_eq!(find("$['https://x'].roles[0]"), Some(json!("one")));
    assert_eq!(find("$['https://x']['roles'] [?@ == 'app_two']"), Some(json!("app_two")));
    assert_eq!(find("$['https://x'].roles[?search(@, '^app_')]"), Some(json!("app_two")));
    assert_eq!(find("$['https://x'].roles[?search(@, 'wo$')]"), Some(json!("app_two")));
    assert_eq!(find("$['https://x'].roles[?(search(@, '^two$'))]"), None);
}

#[test]
fn paths_are_formatted_as_in_postgrest() {
    for (path, shown) in [
        ("$.role", "$.role"),
        ("$[\"a-b\"][0] .c", "$['a-b'][0].c"),
        ("$.roles[?(@ == \"x\")]", "$.roles[?(@ == 'x')]"),
        ("$.roles[?@ != 'x']", "$.roles[?@ != 'x']"),
        ("$.roles[?search(@, \"^x\")]", "$.roles[?search(@, '^x')]"),
        ("$.roles[?(search(@,'^x$'))]", "$.roles[?(search(@, '^x$'))]"),
        (".role", ".\"role\""),
        (".user[0].\"real-role\"", ".\"user\"[0].\"real-role\""),
        (".roles[?(@ ^== \"x\")]", ".\"roles\"[?(@ ^== \"x\")]"),
        (".roles[0][7:-1]", ".\"roles\"[0][7:-1]"),
    ] {
        let parsed = RoleClaim::parse(path).unwrap();
        assert_eq!(parsed.to_string(), shown);
        assert_eq!(RoleClaim::parse(shown).unwrap().to_string(), shown);
    }
}

#[test]
fn invalid_paths_are_rejected() {
    for text in [
        "",
        "$",
        "role",
        ".",
        ".a[",
        ".a[x]",
        "$.a[?@ == b]",
        "$.a[?search(@, 'a.*b')]",
        "$.a b",
        "$.a[1:]",
        "$.a[?(@ ^== 'x')]",
    ] {
        assert_eq!(RoleClaim::parse(text), None, "{text}");
    }
}
