use serde_json::{Value, json};

use crate::support::Api;

/// The ids of the matching rows.
async fn ids(api: &Api, path: &str) -> Vec<i64> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let rows = api.rows(&format!("{path}{separator}select=id&order=id")).await;
    rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn comparison_operators() {
    let api = Api::start().await;
    assert_eq!(ids(&api, "/items?id=eq.5").await, [5]);
    assert_eq!(ids(&api, "/items?id=neq.5&id=lt.7").await, [1, 2, 3, 4, 6]);
    assert_eq!(ids(&api, "/items?id=gt.13").await, [14, 15]);
    assert_eq!(ids(&api, "/items?id=gte.14").await, [14, 15]);
    assert_eq!(ids(&api, "/items?id=lt.2").await, [1]);
    assert_eq!(ids(&api, "/items?id=lte.2").await, [1, 2]);
    assert_eq!(ids(&api, "/items?id=not.gt.2").await, [1, 2]);
    assert_eq!(ids(&api, "/items?id=in.(1,3,5)").await, [1, 3, 5]);
    assert_eq!(ids(&api, "/items?id=not.in.(1,2,3,4,5,6,7,8,9,10,11,12)").await, [13, 14, 15]);
    assert_eq!(ids(&api, "/items?id=in.()").await, [0_i64; 0]);
    assert_eq!(ids(&api, "/projects?client_id=isdistinct.1").await, [3, 4, 5]);
    assert_eq!(ids(&api, "/projects?client_id=is.null").await, [5]);
    assert_eq!(ids(&api, "/projects?client_id=not.is.null").await, [1, 2, 3, 4]);
    assert_eq!(ids(&api, "/projects?client_id=is.not_null").await, [1, 2, 3, 4]);
    assert_eq!(ids(&api, "/types?active=is.TRUE").await, [1]);
    assert_eq!(ids(&api, "/types?active=is.false").await, [2]);
    assert_eq!(ids(&api, "/types?active=is.unknown").await, [3]);
    assert_eq!(ids(&api, "/types?mood=eq.happy").await, [1]);
    api.assert_error("/items?id=eq.x", 400, "22P02").await;
    api.assert_error("/types?mood=eq.angry", 400, "22P02").await;
}

#[tokio::test]
async fn pattern_operators_and_quantifiers() {
    let api = Api::start().await;
    assert_eq!(ids(&api, "/projects?name=like.*10").await, [2]);
    assert_eq!(ids(&api, "/projects?name=like.Willow%25").await, [1, 2]);
    assert_eq!(ids(&api, "/projects?name=ilike.*os*").await, [3, 4]);
    assert_eq!(ids(&api, "/projects?name=match.^W").await, [1, 2]);
    assert_eq!(ids(&api, "/projects?name=imatch.^w").await, [1, 2]);
    assert_eq!(ids(&api, "/projects?name=not.ilike.*o*").await, [0_i64; 0]);
    assert_eq!(ids(&api, "/projects?name=like(any).{*7,Irosa}").await, [1, 3]);
    assert_eq!(ids(&api, "/projects?name=ilike(all).{*willow*,*10}").await, [2]);
    assert_eq!(ids(&api, "/items?id=eq(any).{3,4}").await, [3, 4]);
    assert_eq!(ids(&api, "/items?id=gt(all).{10,13}").await, [14, 15]);
    assert_eq!(ids(&api, "/items?id=not.lt(any).{10,14}").await, [14, 15]);
    // SQL in a value has no effect, because values are parameters.
    assert_eq!(ids(&api, "/texts?body=eq.'; drop table texts; --").await, [0_i64; 0]);
    assert_eq!(ids(&api, "/texts?body=like.100\\%25*").await, [3]);
}

#[tokio::test]
async fn lists_may_contain_quoted_values() {
    let api = Api::start().await;
    api.sql(r#"insert into api.texts values (10, 'a,b'), (11, 'c"d'), (12, 'e\f'), (13, '(g)'), (14, ' h '), (15, '')"#).await;
    assert_eq!(ids(&api, r#"/texts?body=in.("a,b","c\"d")"#).await, [10, 11]);
    assert_eq!(ids(&api, r#"/texts?body=in.("e\\f","(g)")"#).await, [12, 13]);
    assert_eq!(ids(&api, r#"/texts?body=in.( h )"#).await, [0_i64; 0]);
    assert_eq!(ids(&api, r#"/texts?body=in.(" h ")"#).await, [14]);
    assert_eq!(ids(&api, r#"/texts?body=in.("",x)"#).await, [15]);
    assert_eq!(ids(&api, r#"/texts?or=(body.eq."a,b",body.eq."(g)")"#).await, [10, 13]);
}

#[tokio::test]
async fn array_and_range_operators() {
    let api = Api::start().await;
    assert_eq!(ids(&api, "/complex_items?arr_data=cs.{2}").await, [2, 3]);
    assert_eq!(ids(&api, "/complex_items?arr_data=cd.{1,2,4}").await, [1, 2]);
    assert_eq!(ids(&api, "/types?tags=ov.{a,z}").await, [1]);
    assert_eq!(ids(&api, "/types?span=sl.[9,10]").await, [1]);
    assert_eq!(ids(&api, "/types?span=sr.[5,9]").await, [2]);
    assert_eq!(ids(&api, "/types?span=nxr.[4,7]").await, [1]);
    assert_eq!(ids(&api, "/types?span=nxl.[4,7]").await, [2]);
    assert_eq!(ids(&api, "/types?span=adj.[5,10)").await, [1, 2]);
    assert_eq!(ids(&api, "/types?span=cs.[2,3]").await, [1]);
    assert_eq!(ids(&api, "/jsonb_table?data=cs.{\"e\":1}").await, [4]);
}

#[tokio::test]
async fn full_text_operators() {
    let api = Api::start().await;
    let found = async |path: &str| api.rows(path).await.as_array().map(Vec::len).unwrap();
    assert_eq!(found("/documents?words=fts.night").await, 1);
    assert_eq!(found("/documents?words=plfts.the harbour").await, 2);
    assert_eq!(found("/documents?words=phfts.night market").await, 1);
    assert_eq!(found("/documents?words=wfts.harbour -closed").await, 1);
    assert_eq!(found("/documents?words=fts(french).nuit").await, 1);
    assert_eq!(found("/documents?words=not.fts.night").await, 2);
    // Text columns are converted to a `tsvector` first.
    assert_eq!(ids(&api, "/texts?body=fts.fox").await, [1]);
    assert_eq!(ids(&api, "/texts?body=plfts(english).dogs").await, [2]);
}

#[tokio::test]
async fn logical_operators() {
    let api = Api::start().await;
    assert_eq!(ids(&api, "/items?or=(id.eq.1,id.eq.2)").await, [1, 2]);
    assert_eq!(ids(&api, "/items?and=(id.gt.3,id.lt.6)").await, [4, 5]);
    assert_eq!(ids(&api, "/items?not.or=(id.gt.2,id.eq.1)").await, [2]);
    assert_eq!(ids(&api, "/items?not.and=(id.gte.2,id.lte.15)").await, [1]);
    assert_eq!(ids(&api, "/items?or=(and(id.gte.2,id.lte.3),not.or(id.lt.15,id.gt.15))").await, [2, 3, 15]);
    assert_eq!(ids(&api, "/items?or=(id.in.(1,2),id.not.lt.15)").await, [1, 2, 15]);
    assert_eq!(ids(&api, "/items?or=( id.eq.1 , id.eq.2 )&id=lt.2").await, [1]);
    assert_eq!(ids(&api, "/complex_items?or=(arr_data.cs.{3},name.eq.One)").await, [1, 3]);
    assert_eq!(ids(&api, "/types?or=(active.is.true,mood.is.null)").await, [1, 3]);
    assert_eq!(ids(&api, "/texts?or=(body.fts(english).fox,body.plfts.dog)").await, [1, 2]);
    assert_eq!(ids(&api, "/types?and=(span.cs.\"[2,3]\",tags.cs.{a})").await, [1]);
}

#[tokio::test]
async fn rows_are_ordered() {
    let api = Api::start().await;
    let names = async |path: &str| -> Vec<Value> {
        api.rows(path).await.as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
    };
    assert_eq!(names("/projects?order=id.desc&limit=2").await, [5, 4]);
    assert_eq!(names("/projects?order=client_id.desc.nullslast,id.asc").await, [3, 4, 1, 2, 5]);
    assert_eq!(names("/projects?order=client_id.nullsfirst,id.desc").await, [5, 2, 1, 4, 3]);
    assert_eq!(names("/projects?order=client_id.asc.nullsfirst, id.asc&limit=1").await, [5]);
    assert_eq!(names("/jsonb_table?order=data->a->b.nullslast,id&limit=1").await, [1]);
    assert_eq!(names("/complex_items?order=settings->foo->>bar,arr_data->0,id.desc").await, [3, 2, 1]);
    assert_eq!(
        api.rows("/clients?select=name&order=upper_name.desc").await,
        json!([{ "name": "Meranti" }, { "name": "Angsana" }])
    );
}
