//! Computes hashes only, on every core: the minimum cost of signing in.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use auth_service::hashing::{HashCost, Memory};

/// The fastest variant: reuses the memory, and neither parses nor compares.
pub struct Raw {
    argon2: Argon2<'static>,
    /// Memory per core on ordinary pages.
    ordinary: Vec<Vec<Block>>,
    /// Memory per core on huge pages, like the service allocates it.
    huge: Vec<Memory>,
    blocks: usize,
}

#[derive(Clone, Copy)]
pub enum Pages {
    Ordinary,
    Huge,
}

impl Raw {
    /// # Errors
    /// When argon2 rejects the parameters.
    pub fn new(cores: usize) -> anyhow::Result<Self> {
        let params = HashCost::OWASP_MINIMUM.params().map_err(|error| anyhow!("{error}"))?;
        let blocks = params.block_count();
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            ordinary: vec![vec![Block::default(); blocks]; cores],
            huge: (0..cores).map(|_| Memory::default()).collect(),
            blocks,
        })
    }

    /// # Errors
    /// When a hash fails.
    pub fn hashes_per_second(&mut self, pages: Pages, time: Duration) -> anyhow::Result<f64> {
        let Self { argon2, ordinary, huge, blocks } = self;
        let memories: Vec<&mut [Block]> = match pages {
            Pages::Ordinary => ordinary.iter_mut().map(Vec::as_mut_slice).collect(),
            Pages::Huge => huge.iter_mut().map(|memory| memory.blocks(*blocks)).collect(),
        };
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
                memories.into_iter().map(|memory| scope.spawn(move || compute(memory))).collect();
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
