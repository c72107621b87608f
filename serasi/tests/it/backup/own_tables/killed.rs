//! A restore that is interrupted or killed while it restores the operator's tables. An incomplete database can't be used.

use super::hostile::{BackedUp, replace, with};
use super::own_site::traces;
use crate::backup::{count, succeeded};
use crate::import::refused::{SLEEP, trap};
use crate::import::signaled_while_asleep;
use crate::support::refusal;

#[tokio::test]
async fn an_interrupted_restore_leaves_an_empty_database_and_a_killed_one_can_be_repeated() {
    let BackedUp { site, place, backup, dump, mut connection, before } = BackedUp::new().await;
    replace(&backup, &with(&dump.replacen("2\t\\N\n", "", 1), &trap(SLEEP)));

    for signal in ["-INT", "-KILL"] {
        let mut restore = site.serasi_in("target", &["restore"]);
        restore.arg(place.path());
        let output = signaled_while_asleep(restore, signal, &mut connection).await;
        if signal == "-INT" {
            let line = refusal(&output);
            assert!(line.contains("nothing was restored") && line.contains("interrupted"), "{line}");
            assert_eq!(traces(&mut connection).await, before);
        }
    }
    for arguments in [&["migrate"][..], &["backup", "--to", "elsewhere"]] {
        let line = refusal(&site.serasi_in("target", arguments).output().unwrap());
        assert!(line.contains("a restore into this database was interrupted"), "{line}");
    }
    replace(&backup, &dump);
    succeeded(&site.restore_into("target", place.path()));
    assert_eq!(count(&mut connection, "public.mine").await, 2);
    succeeded(&site.serasi_in("target", &["migrate"]).output().unwrap());
}
