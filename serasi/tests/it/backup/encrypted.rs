//! Backups that nobody can read without the key.

use std::path::Path;
use std::process::Output;

use super::{Site, entries, succeeded};
use crate::support::{refusal, serasi};

fn new_key() -> String {
    succeeded(&serasi().arg("backup-key").output().unwrap()).trim().to_owned()
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    entries(folder).into_iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect()
}

#[tokio::test]
async fn an_encrypted_backup_is_restored_with_its_key_only() {
    let site = Site::with_demo_data().await;
    let place = tempfile::tempdir().unwrap();
    let key = new_key();
    let run = |site: &Site, arguments: &[&str], key: Option<&str>| -> Output {
        let mut command = site.serasi(arguments, place.path());
        command.envs(key.map(|key| ("BACKUP_KEY", key))).output().unwrap()
    };
    succeeded(&run(&site, &["backup", "--verify", "--to"], Some(&key)));
    let files = files(place.path());
    assert!(files.len() == 1 && files[0].starts_with(b"age-encryption.org/v1\n"), "{}", files.len());

    let restored = Site::empty().await;
    for (key, reason) in [
        (None, "it is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE"),
        (Some(new_key()), "BACKUP_KEY is not the key"),
        (Some("secret".to_owned()), "`serasi backup-key` prints a new one"),
    ] {
        for command in ["verify", "restore"] {
            let message = refusal(&run(&restored, &[command], key.as_deref()));
            assert!(message.contains(reason), "{message}");
        }
    }
    let backup = place.path().join(&entries(place.path())[0]);
    let intact = std::fs::read(&backup).unwrap();
    let mut damaged = intact.clone();
    damaged[intact.len() / 2] ^= 1;
    for wrong in [&damaged[..], &intact[..intact.len() / 2]] {
        std::fs::write(&backup, wrong).unwrap();
        let message = refusal(&run(&restored, &["restore"], Some(&key)));
        assert!(message.contains("can't be restored: it is truncated or damaged"), "{message}");
    }
    std::fs::write(&backup, intact).unwrap();

    succeeded(&run(&restored, &["restore"], Some(&key)));
    assert_eq!(restored.rows().await, site.rows().await);
    assert_eq!(restored.pictures(), site.pictures());
}
