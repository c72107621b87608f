//! `cargo xtask test containers`: starts compose.yaml as it is, and runs the whole journey through it in a browser.

mod engine;
mod stack;

use std::time::Instant;

use anyhow::ensure;

use crate::report::{self, Count};
use crate::{frontend, run, tools};
use engine::Engine;
use stack::Stack;

/// What the image may take on disk, in megabytes.
const LARGEST_IMAGE: u64 = 120;
const SUPERADMIN: &str = "superadmin@containers.example.test";

/// # Errors
/// When a tool is missing, or when something in the containers does not work.
pub fn run() -> anyhow::Result<()> {
    let began = Instant::now();
    let engine = Engine::find()?;
    let browser = tools::headless_chromium()?;
    frontend::install()?;
    step("the images", began, || engine.make_images())?;
    let megabytes = engine.image_size()? / 1_000_000;
    println!("the image has {megabytes} MB");

    let stack = Stack::new(&engine)?;
    step("the containers", began, || stack.start())?;
    let password = stack.create_superadmin(SUPERADMIN)?;
    let mut pages = frontend::npm();
    pages.args(["run", "--silent", "e2e", "--", "e2e/containers.spec.ts"]);
    pages.env("CHROMIUM_PATH", browser).envs(stack.addresses());
    pages.env("SUPERADMIN_EMAIL", SUPERADMIN).env("SUPERADMIN_PASSWORD", &password);
    let (output, success) = run::captured_output(&mut pages)?;
    let mut count = report::node(&output).or_failed(success);
    count += Count::check(megabytes <= LARGEST_IMAGE);
    if count.failed > 0 {
        stack.show_logs();
    }
    drop(stack);
    println!("containers: {} s", began.elapsed().as_secs());
    println!("{} passed, {} failed", count.passed, count.failed);
    ensure!(megabytes <= LARGEST_IMAGE, "the image is larger than {LARGEST_IMAGE} MB");
    ensure!(count.failed == 0, "{} failed", count.failed);
    Ok(())
}

fn step<T>(what: &str, began: Instant, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let result = work()?;
    println!("{what}: ready after {} s", began.elapsed().as_secs());
    Ok(result)
}
