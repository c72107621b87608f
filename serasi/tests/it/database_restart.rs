//! A PostgreSQL crash interrupts clients for seconds but does not stop the product.

use std::path::Path;
use std::time::Duration;

use sqlx::{Connection, Executor};

use crate::prepared;
use crate::product::{Product, SUBSCRIPTIONS, kill, postmaster};
use crate::support::{refusal, within};

/// Recovery is slow on a busy machine.
const RECOVERY: Duration = Duration::from_secs(30);

#[tokio::test]
async fn the_database_recovers_from_crashes_and_the_launcher_ends_if_it_cannot() {
    let data_dir = prepared::data_dir();
    let mut product = Product::start(data_dir.path(), &[]);
    assert_eq!(product.subscribe("before").await.status(), 201);

    a_killed_backend_stops_no_service(&product, data_dir.path()).await;
    a_killed_postmaster_is_replaced(&product, data_dir.path()).await;
    product.assert_holds(&["before", "killed-backend", "killed-postmaster"]).await;
    // The URL is unchanged, so external tools and the services' pools reconnect.
    product.superuser().await.close().await.unwrap();

    let message = without_its_files_the_launcher_ends(&mut product, data_dir.path());
    assert!(message.contains("PostgreSQL") && message.contains("pg_control"), "{message}");
}

async fn a_killed_backend_stops_no_service(product: &Product, data_dir: &Path) {
    let unchanged = postmaster(data_dir);
    let mut superuser = product.superuser().await;
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut superuser).await.unwrap();

    kill(&pid.to_string());

    assert!(superuser.ping().await.is_err());
    let mut answer = Err(String::new());
    for _ in 0..100 {
        // Right after the crash a pooled connection may break during a request.
        answer = product.until_success(RECOVERY, async || product.subscribe("killed-backend").await).await;
        if answer.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    answer.unwrap();
    assert_eq!(postmaster(data_dir), unchanged);
}

async fn a_killed_postmaster_is_replaced(product: &Product, data_dir: &Path) {
    let killed = postmaster(data_dir).unwrap();
    // A backend in a busy loop would prevent a new postmaster from starting.
    let mut busy = product.superuser().await;
    let busy = tokio::spawn(async move {
        busy.execute("do $$ begin loop null; end loop; end $$").await.unwrap_err();
    });
    tokio::time::sleep(Duration::from_millis(100)).await;

    kill(&killed);

    assert_eq!(product.get("/health").await.status(), 200);
    assert!(within(RECOVERY, || postmaster(data_dir).is_some_and(|pid| pid != killed)));
    let ready = || {
        std::fs::read_to_string(data_dir.join("postgres/postmaster.pid"))
            .is_ok_and(|file| file.lines().nth(7).is_some_and(|state| state.trim() == "ready"))
    };
    let read = async || product.get(SUBSCRIPTIONS).await;
    assert!(within(RECOVERY, ready));
    let took = product.until_success(RECOVERY, read).await.unwrap();
    assert!(took < Duration::from_secs(2), "the first answer took {took:?} after the server was back");
    let write = async || product.subscribe("killed-postmaster").await;
    product.until_success(RECOVERY, write).await.unwrap();
    busy.await.unwrap();
}

fn without_its_files_the_launcher_ends(product: &mut Product, data_dir: &Path) -> String {
    let control = data_dir.join("postgres/global/pg_control");
    std::fs::rename(&control, control.with_extension("away")).unwrap();

    kill(&postmaster(data_dir).unwrap());

    let launcher = &mut product.launcher.0;
    assert!(within(RECOVERY, || launcher.try_wait().unwrap().is_some()), "it keeps retrying");
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut launcher.stderr.take().unwrap(), &mut stderr).unwrap();
    let status = launcher.wait().unwrap();
    refusal(&std::process::Output { status, stdout: Vec::new(), stderr: stderr.into_bytes() })
}
