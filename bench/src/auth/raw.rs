//! The hash alone, on every core: nobody can sign in faster than this.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use auth_service::hashing::HashCost;

/// At its quickest: the memory is kept, nothing is parsed and nothing compared.
///
/// # Errors
/// When a hash fails.
pub fn hashes_per_second(cores: usize, time: Duration) -> anyhow::Result<f64> {
    let params = HashCost::OWASP_MINIMUM.params().map_err(|error| anyhow!("{error}"))?;
    let blocks = params.block_count();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let began = Instant::now();
    let compute = || -> anyhow::Result<u32> {
        step_back();
        let (mut memory, mut output) = (vec![Block::default(); blocks], [0; Params::DEFAULT_OUTPUT_LEN]);
        let mut computed = 0;
        while began.elapsed() < time {
            argon2
                .hash_password_into_with_memory(b"measured", b"with some salt", &mut output, &mut memory)
                .map_err(|error| anyhow!("{error}"))?;
            computed += 1;
        }
        Ok(computed)
    };
    let computed: u32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(compute)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
            .sum::<anyhow::Result<u32>>()
    })?;
    Ok(f64::from(computed) / began.elapsed().as_secs_f64())
}

/// As the service's own threads do: on a busy machine, both get what others leave.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::nice(10);
    }
}
