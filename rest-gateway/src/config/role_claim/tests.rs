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
        ("$..a[1:-1].*[*]", "$..a[1:-1].*[*]"),
        ("$..[ 'a', 0 , ::2]", "$..['a', 0, ::2]"),
        ("$[?!(@.a<1)&&$.b||@[0]=='it\\'s']", "$[?!(@.a < 1) && $.b || @[0] == 'it\\'s']"),
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
    for text in ["", "$", "role", ".", ".a[", ".a[x]", "$.a[?@ == b]", "$.a b", "$.a[?(@ ^== 'x')]"] {
        assert_eq!(RoleClaim::parse(text), None, "{text}");
    }
}

#[test]
fn json_paths_follow_the_standard() {
    let claims = json!({
        "roles": ["zero", "one", "two", "three"],
        "users": [{ "kind": "x", "role": "a", "age": 3 }, { "kind": "y", "role": "b" }],
        "deep": { "er": [{ "name": "found" }] },
        "wanted": "y",
    });
    let find = |path: &str| RoleClaim::parse(path).unwrap().find(claims.as_object().unwrap());
    for (path, expected) in [
        ("$.roles[-1]", Some("three")),
        ("$.roles[-5]", None),
        ("$.roles[1:]", Some("one")),
        ("$.roles[::-1]", Some("three")),
        ("$.roles[3:1:-2]", Some("three")),
        ("$.roles[5:]", None),
        ("$.roles[*]", Some("zero")),
        ("$.nothing['or'].else", None),
        ("$['none', 'wanted']", Some("y")),
        ("$..name", Some("found")),
        ("$.deep..*.name", Some("found")),
        ("$.users[?@.kind == $.wanted].role", Some("b")),
        ("$.users[?@.age >= 3 && @.kind].role", Some("a")),
        ("$.users[?!@.age].role", Some("b")),
        ("$.users[?(@.age < 3 || @.kind == 'y')].role", Some("b")),
        ("$.roles[?search(@, '^t.*e$')]", Some("three")),
        ("$.roles[?search(@, '^(one|two)$')]", Some("one")),
        ("$.roles[?search(@, '(')]", None),
        ("$.roles[?@ != 'zero']", Some("one")),
        (".roles[?(@ != \"zero\")]", Some("one")),
        (".roles[?(@ ==^ \"e\")]", Some("one")),
        (".users[?(@ != \"zero\")]", None),
        // The members of an object are not an array.
        ("[?(@ == \"y\")]", None),
    ] {
        assert_eq!(find(path), expected.map(|text| json!(text)), "{path}");
    }
    for wrong in
        ["$.1", "$[", "$[?]", "$[?@ =]", "$[?'a']", "$['a", "$.a]", "$[1 2]", "$..", "$.a[?nonsense(@, 'a')]"]
    {
        assert_eq!(RoleClaim::parse(wrong), None, "{wrong}");
    }
}
