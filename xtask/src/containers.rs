//! `cargo xtask test containers`: starts compose.yaml unchanged, runs the full flow through it in a browser,
//! and restores a backup. `cargo xtask test ha`: starts deploy/ha unchanged, breaks one piece after the other under
//! load, and restores a backup.

pub mod backups;
mod deployment;
mod engine;
mod stack;

use std::time::Instant;

use anyhow::ensure;

use crate::build::Build;
use crate::report::{self, Count};
use crate::{frontend, run, tools};
use deployment::Deployment;
use engine::Engine;
use stack::Stack;

/// Limit for the image's size on disk, in megabytes.
const LARGEST_IMAGE: u64 = 120;
/// The name of the check that restores a backup into a cluster.
const RESTORE: &str = "restore";
const SUPERADMIN: &str = "superadmin@containers.example.test";

/// # Errors
/// When a tool is missing, or when something in the containers does not work.
pub fn run() -> anyhow::Result<()> {
    let began = Instant::now();
    let engine = Engine::find()?;
    let browser = tools::headless_chromium()?;
    frontend::install()?;
    step("the images", began, || engine.make_images(Deployment::Single))?;
    let megabytes = engine.image_size()? / 1_000_000;

    let stack = Stack::new(&engine, Deployment::Single)?;
    step("the containers", began, || stack.start())?;
    let password = stack.create_superadmin(SUPERADMIN)?;
    let mut pages = frontend::npm();
    pages.args(["run", "--silent", "e2e", "--", "e2e/containers.spec.ts"]);
    pages.env("CHROMIUM_PATH", browser).envs(stack.addresses());
    pages.env("SUPERADMIN_EMAIL", SUPERADMIN).env("SUPERADMIN_PASSWORD", &password);
    let (output, success) = run::captured_output(&mut pages)?;
    let mut count = report::node(&output).or_failed(success);
    step("the restored containers", began, || backups::check(&stack))?;
    count += Count::check(true);
    if count.failed > 0 {
        stack.show_logs();
    }
    drop(stack);
    println!("{} passed, {} failed in {} s", count.passed, count.failed, began.elapsed().as_secs());
    ensure!(megabytes <= LARGEST_IMAGE, "the image has {megabytes} MB, more than {LARGEST_IMAGE}");
    ensure!(count.failed == 0, "{} failed", count.failed);
    Ok(())
}

/// Runs the named faults, or all, and restores a backup. The results of the faults are also in `target/ha.md`.
///
/// # Errors
/// When a tool is missing, when a limit is exceeded, or when the restored cluster differs.
pub fn run_ha(names: &[String]) -> anyhow::Result<()> {
    let began = Instant::now();
    let (restore, faults): (Vec<_>, Vec<_>) = names.iter().partition(|name| *name == RESTORE);
    let engine = Engine::find()?;
    frontend::install()?;
    step("the images", began, || engine.make_images(Deployment::HighlyAvailable))?;
    let stack = Stack::new(&engine, Deployment::HighlyAvailable)?;
    step("the containers", began, || stack.start())?;
    if names.is_empty() || !faults.is_empty() {
        break_pieces(&engine, &stack, &faults)?;
        println!("the faults: {} s", began.elapsed().as_secs());
    }
    if names.is_empty() || !restore.is_empty() {
        step("the restored cluster", began, || backups::check_cluster(&stack))?;
    }
    Ok(())
}

fn break_pieces(engine: &Engine, stack: &Stack<'_>, faults: &[&String]) -> anyhow::Result<()> {
    let report = run::root().join("target/ha.md");
    Build::Development.make()?;
    let mut bench = Build::Development.command("bench");
    bench.args(["ha", "--url", &stack.url(), "--engine", engine.program()]);
    bench.args(["--project", Deployment::HighlyAvailable.project(), "--secrets"]).arg(stack.secrets());
    bench.envs(engine.environment()).arg("--").args(faults);
    let (table, within_limits) = run::captured_output(&mut bench)?;
    std::fs::write(&report, table)?;
    if !within_limits {
        stack.show_logs();
    }
    println!("ha: the results are in {}", report.display());
    ensure!(within_limits, "a fault exceeded its limits");
    Ok(())
}

fn step<T>(what: &str, began: Instant, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let result = work()?;
    println!("{what}: ready after {} s", began.elapsed().as_secs());
    Ok(result)
}
