//! The cost of a password hash.

use argon2::Params;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    pub memory_kib: u32,
    pub iterations: u32,
}

impl HashCost {
    pub const OWASP_MINIMUM: Self = Self { memory_kib: 19 * 1024, iterations: 2 };
    /// Imported hashes may cost more.
    pub const MOST_MEMORY_KIB: u32 = 1024 * 1024;
    pub const MOST_ITERATIONS: u32 = 64;
    pub const PARALLELISM: u32 = 1;

    /// # Errors
    /// Fails when argon2 rejects the cost.
    pub fn params(self) -> Result<Params, argon2::Error> {
        Params::new(self.memory_kib, self.iterations, Self::PARALLELISM, None)
    }
}
