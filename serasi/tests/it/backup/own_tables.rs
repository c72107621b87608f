//! The operator's tables, functions and policies are backed up with the real `pg_dump`, and restored.

mod described;
mod hostile;
mod killed;
mod own_site;
mod under_load;

use serde_json::{Value, json};

use super::succeeded;
use crate::import::{Project, files_are_served, rows_are_served, the_owner_is_powerless, until_served};
use crate::product::{Product, client};
use crate::support::{refusal, serasi};
use described::described;
use own_site::OwnSite;

/// Objects that an operator creates with psql, as a superuser.
const BY_HAND: &str = "
create schema shop;
comment on schema shop is 'what we sell';
create table shop.items (id bigint generated always as identity primary key, price numeric(8, 2) check (price > 0), profile uuid references app.profiles (id));
insert into shop.items (price) values (2.50), (3);
grant usage on schema shop to anon;
grant select on shop.items to anon;
alter table shop.items enable row level security;
alter table shop.items force row level security;
create policy cheap on shop.items to anon using (price < 3);
create view shop.profiles as select count(*) from app.profiles;
create table public.by_hand (id serial primary key, name text not null);
insert into public.by_hand (name) values ('first');
create function public.log_account() returns trigger language plpgsql security definer set search_path = '' as
$$ begin insert into public.by_hand (name) values (new.email); return null; end $$;
create trigger log_account after insert on auth.users for each row execute function public.log_account();
create trigger quiet after update on auth.users for each row execute function public.log_account();
alter table auth.users disable trigger quiet;";

#[tokio::test]
async fn an_imported_project_and_the_operators_tables_are_restored() {
    let (project, site) = (Project::new().await, OwnSite::new().await);
    let dump = project.dump("dump.sql", &[]);
    let files = project.files();
    let mut import = site.serasi(&["import", "supabase", "--apply", "--dump"]);
    succeeded(&import.arg(dump).arg("--storage").arg(files).output().unwrap());
    drop(project);
    site.run(BY_HAND).await;
    let before = described(&mut site.connect().await).await;

    let place = tempfile::tempdir().unwrap();
    let key = succeeded(&serasi().arg("backup-key").output().unwrap()).trim().to_owned();
    let mut backup = site.serasi(&["backup", "--verify", "--to"]);
    let made = backup.arg(place.path()).env("BACKUP_KEY", &key).output().unwrap();
    succeeded(&made);
    assert!(!format!("{made:?}").contains("s3cret"), "{made:?}");

    let data_dir = tempfile::tempdir().unwrap();
    let restore = || {
        let mut restore = serasi();
        restore.arg("restore").arg(place.path()).arg("--data-dir").arg(data_dir.path());
        restore
    };
    assert!(refusal(&restore().output().unwrap()).contains("it is encrypted"));
    let said = succeeded(&restore().env("BACKUP_KEY", &key).output().unwrap());
    for line in ["belong to import_owner now: 7\n", "    schema shop\n", "    public.by_hand\n"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let product = Product::start(data_dir.path(), &[("PGRST_DB_SCHEMAS", "public,shop")]);
    let mut connection = product.superuser().await;
    assert_eq!(described(&mut connection).await, before);
    the_owner_is_powerless(&mut connection).await;
    until_served(&product).await;
    visitors_see_what_policies_show(&product).await;
    rows_are_served(&product).await;
    files_are_served(&product).await;
    let logged = "public.by_hand where name = 'dan@project.test' and id = 2";
    assert_eq!(super::count(&mut connection, logged).await, 1);
}

async fn visitors_see_what_policies_show(product: &Product) {
    for (schema, path, expected) in [
        ("public", "notes?select=id", json!([])),
        ("public", "members?select=id", json!([])),
        ("shop", "items?select=id,price", json!([{ "id": 1, "price": 2.50 }])),
    ] {
        let url = format!("http://127.0.0.1:{}/rest/v1/{path}", product.port);
        let request = client().get(url).bearer_auth(&product.settings["ANON_KEY"]);
        let answer = request.header("accept-profile", schema).send().await.unwrap();
        assert_eq!(answer.json::<Value>().await.unwrap(), expected, "{path}");
    }
}
