//! All forms of a dump are imported with the same result, and a rejected import leaves nothing behind.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sqlx::Executor;

use super::{ALICE, Project, Target, blobs, import, report, traces};
use crate::full_disk::SmallDisk;
use crate::product::Product;
use crate::support::{refusal, serasi};

/// Adds statements at the end of the rows, before the constraints.
pub fn with(dump: &[u8], statements: &str) -> Vec<u8> {
    let text = String::from_utf8(dump.to_vec()).unwrap();
    let place = text.find("-- Name: bucketid_objname; Type: INDEX").or_else(|| text.find("ADD CONSTRAINT"));
    let place = text[..place.unwrap()].rfind("\n--\n").unwrap();
    format!("{}\n{statements}\n{}", &text[..place], &text[place..]).into_bytes()
}

#[tokio::test]
async fn every_form_of_a_dump_has_the_same_contents() {
    let project = Project::new().await;
    let data_dir = tempfile::tempdir().unwrap();
    let (data_dir, files) = (data_dir.path(), project.files());
    let _product = Product::start(data_dir, &[]);
    let plain = project.dump("plain.sql", &[]);
    let storage = ["--storage", files.to_str().unwrap()];
    let expected = report(&import(data_dir, &[&plain], &storage));

    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(&std::fs::read(&plain).unwrap()).unwrap();
    let compressed = project.write("plain.sql.gz", &compressed.finish().unwrap());
    let inserts = project.dump("inserts.sql", &["--inserts"]);
    let columns =
        project.dump("columns.sql", &["--column-inserts", "--rows-per-insert=2", "--quote-all-identifiers"]);
    for dump in [compressed, inserts, columns] {
        assert_eq!(report(&import(data_dir, &[&dump], &storage)), expected, "{}", dump.display());
    }
    // As `supabase db dump` writes them: without comments, the rows in a file of their own.
    let cli = |name: &str, options: &[&str]| {
        let dump = project.cluster.dump(&[options, &["--quote-all-identifiers", "postgres"]].concat());
        let text = String::from_utf8(dump).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).collect();
        let text = format!("SET session_replication_role = replica;\n{}\nRESET ALL;\n", lines.join("\n"));
        project.write(name, text.as_bytes())
    };
    let schema = cli("schema.sql", &["--schema-only"]);
    let data = cli("data.sql", &["--data-only", "--column-inserts", "--rows-per-insert=100000"]);
    assert_eq!(report(&import(data_dir, &[&schema, &data], &storage)), expected);
}

/// A name, a dump, and the expected error.
type Case<'a> = (&'a str, Vec<u8>, &'a str);

fn damaged<'a>(project: &Project, plain: &[u8]) -> Vec<Case<'a>> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(plain).unwrap();
    let compressed = compressed.finish().unwrap();
    let marker = b"-- PostgreSQL database dump complete\n--\n";
    let marker = plain.windows(marker.len()).position(|text| text == marker).unwrap();
    let of = |options: &[&str]| project.cluster.dump(&[options, &["postgres"]].concat());
    vec![
        ("half", plain[..plain.len() / 2].to_vec(), "truncated"),
        ("without its end", plain[..marker].to_vec(), "truncated"),
        ("half of the compressed", compressed[..compressed.len() / 2].to_vec(), "truncated"),
        ("of another database", of(&["-n", "public"]), "not a dump of a Supabase project"),
        ("of the custom format", of(&["-Fc"]), "pg_restore --file=dump.sql"),
        ("of the tar format", of(&["-Ft"]), "pg_restore --file=dump.sql"),
        ("no text", vec![0xff; 5_000], "truncated"),
        ("empty", Vec::new(), "truncated"),
        (
            "a wrong row",
            with(plain, "copy public.countries (code, name) from stdin;\nMY\tagain\nMY\tand again\n\\.\n"),
            "duplicate key",
        ),
        (
            "a wrong policy",
            with(plain, "create policy a on storage.objects using (public.none());"),
            "public.none() does not exist",
        ),
        (
            "a name that Serasi uses",
            with(plain, "create table public.profiles (id uuid);"),
            "(public.profiles)",
        ),
        ("a schema of Serasi", with(plain, "create schema app;"), "schema app"),
    ]
}

/// Code that runs longer than any test.
pub const SLEEP: &str = "select pg_sleep(3600)";

/// Statements of a dump that run this code while its rows are imported.
pub fn trap(code: &str) -> String {
    format!(
        "create function public.trap(code text) returns boolean language plpgsql as $$ begin execute code; return true; end $$;
         create table public.traps (code text check (public.trap(code)));\ninsert into public.traps values ($${code}$$);"
    )
}

const FLOOD: &str =
    "do $$ begin for i in 1..20 loop raise warning '%', repeat('x', 1000000); end loop; end $$;";

fn hostile<'a>(plain: &[u8], touched: &Path) -> Vec<Case<'a>> {
    let trapped = |code: &str| with(plain, &trap(code));
    let touch = touched.display();
    vec![
        ("a psql command", with(plain, &format!("\\! touch {touch}")), "a psql command"),
        (
            "a program",
            with(plain, "copy public.notes from program 'id';"),
            "COPY to or from an external program",
        ),
        (
            "a block that takes over",
            with(plain, "do $$ begin execute 'create role evil'; end $$;"),
            "permission denied to create role",
        ),
        (
            "a trap with a program",
            trapped(&format!("copy (select 1) to program 'touch {touch}'")),
            "permission denied to COPY to or from an external program",
        ),
        ("a flood of warnings", with(plain, FLOOD), "more than 16 MiB of errors and warnings"),
        ("a trap for superusers", trapped("set role postgres"), "permission denied to set role"),
        (
            "a trap for the session",
            trapped("reset session authorization; create role evil"),
            "permission denied",
        ),
        ("a trap for roles", trapped("alter role postgres nosuperuser"), "permission denied to alter role"),
        (
            "a trap for files",
            trapped("select pg_read_file('/etc/passwd')"),
            "permission denied for function pg_read_file",
        ),
        (
            "a trap for Serasi's tables",
            trapped("set role serasi_owner"),
            "permission denied to set role \"serasi_owner\"",
        ),
        (
            "a trap that waits for the real tables",
            trapped("select encrypted_password from auth.users"),
            "permission denied for table users",
        ),
        (
            "two statements in one",
            with(plain, "create view public.a as select 1; drop table app.profiles;"),
            "schema \"app\" does not exist",
        ),
    ]
}

#[tokio::test]
async fn a_damaged_foreign_or_hostile_dump_leaves_nothing_behind() {
    let Target { project, product: _product, folder, mut connection, before } = Target::new().await;
    let (data_dir, files) = (folder.path(), project.files());
    let plain = std::fs::read(project.dump("plain.sql", &[])).unwrap();
    let touched = project.folder.path().join("touched");

    for (name, dump, reason) in damaged(&project, &plain).into_iter().chain(hostile(&plain, &touched)) {
        let path = project.write(name, &dump);
        let refused = import(data_dir, &[&path], &["--apply", "--storage", files.to_str().unwrap()]);
        let line = refusal(&refused);
        assert!(line.contains(reason), "{name}: {line}");
        assert_eq!(traces(&mut connection).await, before, "{name}");
        assert_eq!((blobs(data_dir), touched.exists()), (0, false), "{name}");
    }
    // The server's log has none of the warnings.
    assert!(std::fs::metadata(data_dir.join("postgres.log")).unwrap().len() < 1_000_000);
    assert!(!data_dir.join("postgres.log.1").exists());
}

#[tokio::test]
async fn lost_files_known_accounts_and_a_full_disk_stop_an_import() {
    let Target { project, product, folder, mut connection, before } = Target::new().await;
    let (data_dir, files) = (folder.path(), project.files());
    let dump = project.dump("plain.sql", &[]);
    let storage = ["--storage", files.to_str().unwrap()];
    let apply = ["--apply", "--storage", files.to_str().unwrap()];

    std::fs::write(files.join("avatars/alice/face.txt"), "HELLO").unwrap();
    std::fs::rename(files.join("documents"), files.join("elsewhere")).unwrap();
    let refused = refusal(&import(data_dir, &[&dump], &apply));
    assert!(
        refused.contains("2 objects have no file") && refused.contains("--skip-missing-files"),
        "{refused}"
    );
    let listed = report(&import(data_dir, &[&dump], &storage));
    assert!(
        listed.contains(&format!("objects without a file: 1\n    documents/{ALICE}/plan.txt\n")),
        "{listed}"
    );
    assert!(
        listed.contains("differs from its row in size or hash: 1\n    avatars/alice/face.txt\n"),
        "{listed}"
    );
    assert!(
        refusal(&import(data_dir, &[&dump], &["--storage", "nowhere"])).contains("nowhere is not a folder")
    );
    assert_eq!((traces(&mut connection).await, blobs(data_dir)), (before, 0));

    connection.execute("insert into auth.users (email) values ('bob@project.test')").await.unwrap();
    let refused = refusal(&import(data_dir, &[&dump], &["--apply"]));
    assert!(
        refused.contains("1 accounts of the dump already exist in Serasi: bob@project.test"),
        "{refused}"
    );
    connection.execute("delete from auth.users").await.unwrap();

    std::fs::rename(files.join("elsewhere"), files.join("documents")).unwrap();
    a_full_disk_keeps_nothing(&project, &product, data_dir).await;
}

async fn a_full_disk_keeps_nothing(project: &Project, product: &Product, data_dir: &Path) {
    let mut connection = product.superuser().await;
    let before = traces(&mut connection).await;
    let files = project.files();
    let apply = ["--apply", "--storage", files.to_str().unwrap()];
    let large = files.join("avatars/alice/face.txt");
    std::fs::write(&large, vec![7; 300_000]).unwrap();
    let sizes = "update storage.objects set metadata = '{\"size\": 300000}' where name like 'alice/%'";
    project.cluster.connect().await.execute(sizes).await.unwrap();
    let dump = project.dump("large.sql", &[]);
    // Where mounting is not permitted, other tests still cover that files are removed.
    let Some(disk) = SmallDisk::mount("200k") else { return };
    let mut command = serasi();
    command.args(["import", "supabase", "--data-dir"]).arg(data_dir).arg("--dump").arg(&dump);
    let full = refusal(&command.args(apply).env("STORAGE_DIR", disk.path()).output().unwrap());
    assert!(full.contains("nothing was imported") && full.contains("No space left on device"), "{full}");
    assert_eq!(traces(&mut connection).await, before);
    let left = std::process::Command::new("find")
        .arg(disk.path())
        .args(["-type", "f", "-not", "-name", ".serasi-blobs"])
        .output()
        .unwrap();
    assert!(left.stdout.is_empty(), "{}", String::from_utf8_lossy(&left.stdout));

    let done = report(&import(data_dir, &[&dump], &apply));
    assert!(done.contains("objects: 2 (300005 bytes)"), "{done}");
    assert_eq!(blobs(data_dir), 2);
}
