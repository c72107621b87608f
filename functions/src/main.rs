//! Runs `functions::standalone`.

use platform::env::Env;

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    let env = Env::from_process()?;
    platform::memory::runtime()?.block_on(functions::standalone::run(&env))
}
