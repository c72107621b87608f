//! Faults of the image storage.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use futures::FutureExt;
use reqwest::Method;

use super::outcome::{Limits, Outcome, UNAVAILABLE};
use super::sampling::{Answer, Kind};
use super::stage::{Stage, Wanted};
use super::system::{Mount, fill_disk, need_root};
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
/// A full disk has its own status.
const FULL: &[Answer] = &[Answer::Status(503), Answer::Status(507)];
/// A picture without its file is 'not found' (status 400 in this API), whatever the reason.
const BROKEN: &[Answer] = &[Answer::Status(400), Answer::Status(500), Answer::Status(503)];

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "storage-renamed",
        about: "the image folder is renamed for 4 s",
        limits: Limits::new(BROKEN, 5, 2),
        run: |lab| renamed(lab).boxed_local(),
    },
    Fault {
        name: "storage-unmounted",
        about: "the image folder's disk is unmounted for 4 s, leaving an empty folder",
        limits: Limits::new(BROKEN, 5, 2),
        run: |lab| unmounted(lab).boxed_local(),
    },
    Fault {
        name: "storage-read-only",
        about: "the image folder's disk is read-only for 4 s",
        limits: Limits::new(BROKEN, 5, 2),
        run: |lab| read_only(lab).boxed_local(),
    },
    Fault {
        name: "storage-full",
        about: "the image folder's disk is full for 4 s",
        limits: Limits::new(FULL, 5, 2),
        run: |lab| full(lab).boxed_local(),
    },
    Fault {
        name: "blob-lost",
        about: "the file of one picture is missing",
        limits: Limits::new(UNAVAILABLE, 5, 2),
        run: |lab| blob_lost(lab).boxed_local(),
    },
];

/// Downloads and uploads may fail; tables and accounts must work.
fn check_others(outcome: &mut Outcome) {
    let is_others = |kind| {
        matches!(kind, Kind::Read | Kind::Write | Kind::Edit | Kind::User | Kind::SignIn | Kind::SignUp)
    };
    let samples = outcome.samples.iter();
    let bad = samples.filter(|sample| is_others(sample.kind) && !sample.answer.is_good()).count();
    outcome.check(bad == 0, format!("{bad} requests of other services failed"));
}

async fn renamed(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let folder = storage_of(stage);
    let away = folder.with_extension("away");
    let mut deleted = None;
    let mut outcome = stage
        .observe(
            3 * SECOND,
            async |stage| {
                prepare_to_delete(stage).await?;
                tokio::fs::rename(&folder, &away).await?;
                deleted = Some(delete(stage).await?);
                Ok(())
            },
            async |_| {
                // The service may have created an empty folder in the meantime.
                let _ = tokio::fs::rename(&folder, folder.with_extension("empty")).await;
                Ok(tokio::fs::rename(&away, &folder).await?)
            },
        )
        .await?;
    check_delete(stage, &mut outcome, deleted).await?;
    check_others(&mut outcome);
    Ok(outcome)
}

async fn unmounted(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    need_root().await?;
    // The pictures are in `real`; the product only sees them through the mount.
    let root = std::env::temp_dir().join(format!("serasi-faults-mount-{:08x}", rand::random::<u32>()));
    let (real, seen) = (root.join("real"), root.join("seen"));
    std::fs::create_dir_all(&real)?;
    let mount = RefCell::new(Some(Mount::bind(&real, &seen).await?));
    let env = [("STORAGE_DIR", seen.display().to_string())].into();
    let outcome = async {
        let mut stage = lab.fresh(Wanted { external: true, env, ..Wanted::default() }).await?;
        let mut deleted = None;
        let mut outcome = stage
            .observe(
                3 * SECOND,
                async |stage| {
                    prepare_to_delete(stage).await?;
                    mount.take();
                    deleted = Some(delete(stage).await?);
                    Ok(())
                },
                async |_| {
                    let again = Mount::bind(&real, &seen).await?;
                    mount.replace(Some(again));
                    Ok(())
                },
            )
            .await?;
        check_delete(&stage, &mut outcome, deleted).await?;
        check_others(&mut outcome);
        anyhow::Ok(outcome)
    };
    let outcome = outcome.await;
    drop(mount);
    let _ = std::fs::remove_dir_all(&root);
    outcome
}

async fn on_a_small_disk(
    lab: &mut SharedProducts<'_>,
    inject: impl AsyncFnOnce(&mut Stage) -> anyhow::Result<()>,
    remove: impl AsyncFnOnce(&mut Stage) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let mut stage =
        lab.fresh(Wanted { external: true, small_storage: Some(16), ..Wanted::default() }).await?;
    let mut outcome = stage.observe(4 * SECOND, inject, remove).await?;
    check_others(&mut outcome);
    let downloads =
        outcome.samples.iter().filter(|sample| sample.kind == Kind::Download && !sample.answer.is_good());
    let downloads = downloads.count();
    outcome.check(downloads == 0, format!("{downloads} downloads failed"));
    Ok(outcome)
}

async fn read_only(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let remount = async |stage: &mut Stage, option| {
        stage.storage_disk.as_ref().context("a separate disk")?.remount(option).await
    };
    on_a_small_disk(
        lab,
        async |stage| {
            // Unmounting fails while a file is open for writing, so retry.
            for _ in 0..50 {
                if remount(stage, "ro").await.is_ok() {
                    return Ok(());
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            remount(stage, "ro").await
        },
        async |stage| remount(stage, "rw").await,
    )
    .await
}

async fn full(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let fill = async |stage: &mut Stage| fill_disk(&stage.folder().join("disk")).await.map(drop);
    let empty =
        async |stage: &mut Stage| Ok(tokio::fs::remove_file(stage.folder().join("disk/filler")).await?);
    on_a_small_disk(lab, fill, empty).await
}

async fn blob_lost(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let mut seen = None;
    let storage = storage_of(stage);
    let mut outcome = stage
        .observe(
            SECOND,
            async |stage| {
                prepare_to_delete(stage).await?;
                let sql = stage.sql().await?;
                let version = "select version::text from storage.objects where name like '%/to-delete.gif'";
                let version: String = sql.query_one(version, &[]).await?.try_get(0)?;
                let file = find(&storage, &version).context("the picture's file")?;
                tokio::fs::remove_file(file).await?;
                let path = stage.client.picture_path("to-delete");
                seen = Some(stage.client.request(Method::GET, &path).send().await?.status().as_u16());
                Ok(())
            },
            async |_| Ok(()),
        )
        .await?;
    outcome.note(format!("the picture's response is {}", seen.unwrap_or_default()));
    outcome.check(
        matches!(seen, Some(400 | 404)),
        format!("the response for a lost picture is {seen:?}, not 404"),
    );
    Ok(outcome)
}

/// The image folder of a stage without a separate disk for it.
fn storage_of(stage: &Stage) -> PathBuf {
    stage.product.data_dir().join("storage")
}

/// The file whose path names this version.
fn find(folder: &Path, version: &str) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.display().to_string().contains(version) {
                return Some(path);
            }
        }
    }
    None
}

/// Stores a picture that [`delete`] tries to delete while its file is unreachable.
async fn prepare_to_delete(stage: &Stage) -> anyhow::Result<()> {
    let answer = stage.client.upload("to-delete", 7).send().await?;
    answer.error_for_status().context("the picture to delete")?;
    Ok(())
}

async fn delete(stage: &Stage) -> anyhow::Result<u16> {
    let path = stage.client.picture_path("to-delete").replace("/public/", "/");
    let request = stage.client.request(Method::DELETE, &path).bearer_auth(&stage.client.agency().token);
    Ok(request.send().await?.status().as_u16())
}

async fn check_delete(stage: &Stage, outcome: &mut Outcome, deleted: Option<u16>) -> anyhow::Result<()> {
    let rows = "select count(*) from storage.objects where name like '%/to-delete.gif'";
    let rows: i64 = stage.sql().await?.query_one(rows, &[]).await?.try_get(0)?;
    let is_there = stage.client.stored("to-delete").await.is_some();
    let answered = deleted.unwrap_or_default();
    outcome
        .check((500..=599).contains(&answered), format!("a delete during the fault got {answered}, not 5xx"));
    outcome.check(
        rows == 1 && is_there,
        format!("a delete during the fault left {rows} rows; picture exists: {is_there}"),
    );
    Ok(())
}
