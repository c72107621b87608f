//! Follows docs/operate.md: backs up a deployment, loses all volumes, and restores it.

use std::fs;
use std::process::Command;

use anyhow::ensure;

use super::stack::Stack;
use crate::{guide, run};

pub const COMPOSE: &str = "Back up and restore with compose";
pub const CLUSTER: &str = "Restore a backup into a cluster";
/// The folder for copies in the document.
const COPIES: &str = "/srv/serasi-backups";

const CREATE: &str = "create table public.machines (id int primary key, name text not null);
    insert into public.machines select number, 'machine ' || number from generate_series(1, 1000) number";
const MACHINES: &str = "select count(*) || ' ' || max(name) from public.machines";
/// What the backup contains. Sessions and mails change meanwhile.
const CONTENTS: &str = "select (select count(*) from app.influencers), (select count(*) from auth.users),
    (select string_agg(name || version, ',' order by name) from storage.objects)";

/// With a table of the operator's.
///
/// # Errors
/// When a command of the document fails, or the restored deployment differs.
pub fn check(stack: &Stack<'_>) -> anyhow::Result<()> {
    let page = operate()?;
    sql(stack, CREATE)?;
    let blocks = guide::blocks(&page, COMPOSE)?;
    let [back_up, restore] = &blocks[..] else { anyhow::bail!("{COMPOSE:?} has not two blocks of commands") };
    check_restored(stack, back_up, restore)?;
    let machines = sql(stack, MACHINES)?;
    ensure!(machines.trim() == "1000 machine 999", "{machines}");
    Ok(())
}

/// With the demo data, in deploy/ha.
///
/// # Errors
/// When a command of the document fails, or the restored cluster differs.
pub fn check_cluster(stack: &Stack<'_>) -> anyhow::Result<()> {
    let page = operate()?;
    run::must(stack.compose().args(["--profile", "demo", "run", "--rm", "--no-deps", "-T", "demo"]))?;
    let (back_up, restore) = (&guide::blocks(&page, COMPOSE)?[0], &guide::blocks(&page, CLUSTER)?[0]);
    check_restored(stack, back_up, restore)
}

fn operate() -> anyhow::Result<String> {
    Ok(fs::read_to_string(run::root().join("docs/operate.md"))?)
}

fn check_restored(stack: &Stack<'_>, back_up: &str, restore: &str) -> anyhow::Result<()> {
    let copies = tempfile::tempdir()?;
    let here = |commands: &str| commands.replace(COPIES, &copies.path().display().to_string());
    let before = sql(stack, CONTENTS)?;
    ensure!(before.contains(','), "there are no images: {before}");
    stack.run_documented(&here(back_up))?;
    run::must(stack.compose().args(["down", "--volumes", "--timeout", "10"]))?;
    stack.run_documented(&here(restore))?;
    stack.wait()?;
    let after = sql(stack, CONTENTS)?;
    ensure!(before == after, "before: {before}\nafter the restore: {after}");
    // Every image has its bytes in the S3 server.
    let mut check = stack.compose();
    check.args(["run", "--rm", "--no-deps", "-T", "backup", "serasi", "storage", "check"]);
    let found = run::must(&mut check)?;
    ensure!(found.contains("\n0 objects without file"), "{found}");
    Ok(())
}

fn sql(stack: &Stack<'_>, statement: &str) -> anyhow::Result<String> {
    let mut psql: Command = stack.compose();
    psql.args(["exec", "-T"]).args(stack.psql()).args([
        "--username",
        "postgres",
        "--dbname",
        "serasi",
        "-XqAt",
    ]);
    run::must(psql.args(["-v", "ON_ERROR_STOP=1", "--command", statement]))
}
