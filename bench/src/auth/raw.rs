//! Computes hashes only, on every core: the minimum cost of signing in.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use auth_service::hashing::HashCost;

/// The fastest variant: reuses the memory, and neither parses nor compares.
pub struct Raw {
    argon2: Argon2<'static>,
    /// Memory per core.
    memories: Vec<Vec<Block>>,
}

impl Raw {
    /// # Errors
    /// When argon2 rejects the parameters.
    pub fn new(cores: usize) -> anyhow::Result<Self> {
        let params = HashCost::OWASP_MINIMUM.params().map_err(|error| anyhow!("{error}"))?;
        let blocks = params.block_count();
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            memories: vec![vec![Block::default(); blocks]; cores],
        })
    }

    /// # Errors
    /// When a hash fails.
    pub fn hashes_per_second(&mut self, time: Duration) -> anyhow::Result<f64> {
        let Self { argon2, memories } = self;
        let began = Instant::now();
        let compute = |memory: &mut [Block]| -> anyhow::Result<u32> {
            lower_priority();
            let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
            let mut computed = 0;
            while began.elapsed() < time {
                argon2
                    .hash_password_into_with_memory(b"measured", b"with some salt", &mut output, &mut *memory)
                    .map_err(|error| anyhow!("{error}"))?;
                computed += 1;
            }
            Ok(computed)
        };
        let computed: u32 = std::thread::scope(|scope| {
            let compute = &compute;
            let threads: Vec<_> =
                memories.iter_mut().map(|memory| scope.spawn(move || compute(memory))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
                .sum::<anyhow::Result<u32>>()
        })?;
        Ok(f64::from(computed) / began.elapsed().as_secs_f64())
    }
}

/// Lowers the priority like the service does for its hashing threads, so that both compete equally on a
/// busy machine.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::nice(10);
    }
}
