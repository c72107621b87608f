//! Computes hashes on one thread: it reuses the memory and counts the work done.
//!
//! Work is counted in KiB filled across all passes, which is what an argon2 hash costs. Every comparison
//! costs as much as a hash at today's cost, whatever is stored: see [`Workbench::compare`].

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use super::bcrypt_hash;
use super::{Comparison, HashCost, HashError};

#[derive(Default)]
pub struct Workbench {
    /// Reused, because allocating and clearing it costs a tenth of a hash. argon2 never reads a block that it has
    /// not written.
    memory: Vec<Block>,
    work: u64,
}

impl Workbench {
    pub fn hash(&mut self, password: &[u8], cost: HashCost) -> Result<String, HashError> {
        let params = cost.params()?;
        let salt = Salt::generate();
        let mut output = [0_u8; Params::DEFAULT_OUTPUT_LEN];
        self.argon2(Algorithm::Argon2id, Version::V0x13, params.clone(), password, &salt, &mut output)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params)?,
            salt: Some(salt),
            hash: Some(Output::new(&output)?),
        };
        Ok(hash.to_string())
    }

    /// Takes the same time without a stored hash, with a cheaper one and with a current one, unless the
    /// password is right and its hash must be renewed. A more expensive hash takes longer, which can't be
    /// avoided.
    pub fn compare(
        &mut self,
        password: &[u8],
        stored: Option<&str>,
        today: HashCost,
    ) -> Result<Comparison, HashError> {
        let before = self.work;
        let right = match stored {
            Some(stored) => self.matches(password, stored)?,
            None => false,
        };
        if let (true, Some(stored)) = (right, stored)
            && is_to_be_renewed(stored, today)?
        {
            return Ok(Comparison::Right { better: Some(self.hash(password, today)?) });
        }
        self.top_up(today, before)?;
        Ok(if right { Comparison::Right { better: None } } else { Comparison::Wrong })
    }

    fn matches(&mut self, password: &[u8], stored: &str) -> Result<bool, HashError> {
        if let Some(hash) = bcrypt_hash::parse(stored) {
            self.work += hash.work();
            return hash.matches(password);
        }
        let stored = PasswordHash::new(stored)?;
        let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Ok(false) };
        let algorithm = Algorithm::try_from(stored.algorithm.as_str())?;
        let version = stored.version.map(Version::try_from).transpose()?.unwrap_or_default();
        let mut output = vec![0_u8; expected.len()];
        self.argon2(algorithm, version, Params::try_from(&stored)?, password, salt, &mut output)?;
        // `Output` compares in constant time.
        Ok(*expected == Output::new(&output)?)
    }

    /// Does the work still missing compared to a hash at today's cost.
    fn top_up(&mut self, today: HashCost, before: u64) -> Result<(), HashError> {
        let wanted = u64::from(today.memory_kib) * u64::from(today.iterations);
        let missing = u32::try_from(wanted.saturating_sub(self.work - before)).unwrap_or(u32::MAX);
        let passes = missing.div_ceil(today.memory_kib).max(1);
        let memory_kib = missing / passes;
        if memory_kib < Params::MIN_M_COST {
            return Ok(());
        }
        let params = Params::new(memory_kib, passes, HashCost::PARALLELISM, None)?;
        let mut output = [0_u8; Params::DEFAULT_OUTPUT_LEN];
        self.argon2(Algorithm::Argon2id, Version::V0x13, params, b"", b"to be thrown away", &mut output)
    }

    fn argon2(
        &mut self,
        algorithm: Algorithm,
        version: Version,
        params: Params,
        password: &[u8],
        salt: &[u8],
        output: &mut [u8],
    ) -> Result<(), HashError> {
        let blocks = params.block_count();
        if self.memory.len() != blocks {
            // Frees the old blocks first, so that both never exist at once.
            self.memory = Vec::new();
            self.memory.resize(blocks, Block::default());
        }
        self.work += u64::from(params.m_cost()) * u64::from(params.t_cost());
        Ok(Argon2::new(algorithm, version, params).hash_password_into_with_memory(
            password,
            salt,
            output,
            &mut self.memory,
        )?)
    }
}

/// Whether to rehash a correct password: the stored hash is cheaper than today's, or of another kind.
fn is_to_be_renewed(stored: &str, today: HashCost) -> Result<bool, HashError> {
    if bcrypt_hash::parse(stored).is_some() {
        return Ok(true);
    }
    let stored = PasswordHash::new(stored)?;
    let had = Params::try_from(&stored)?;
    let is_cheaper = had.m_cost() < today.memory_kib || had.t_cost() < today.iterations;
    Ok(is_cheaper || stored.algorithm != Algorithm::Argon2id.ident())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: HashCost = HashCost::OWASP_MINIMUM;
    const TODAY: HashCost = HashCost { memory_kib: 24 * 1024, iterations: 3 };
    const WORK: u64 = 24 * 1024 * 3;

    fn compared(password: &[u8], stored: Option<&str>) -> (Comparison, u64) {
        let mut workbench = Workbench::default();
        let comparison = workbench.compare(password, stored, TODAY).unwrap();
        (comparison, workbench.work)
    }

    #[test]
    fn every_answer_costs_the_same_work() {
        let mut workbench = Workbench::default();
        let cheapest = HashCost { memory_kib: 64, iterations: 1 };
        let hashes: Vec<String> = [cheapest, OLD, HashCost { iterations: 2, ..TODAY }, TODAY]
            .into_iter()
            .map(|cost| workbench.hash(b"right", cost).unwrap())
            .chain([bcrypt_hash::tests::CHEAP_HASH.to_owned()])
            .collect();

        assert_eq!(compared(b"right", None), (Comparison::Wrong, WORK));
        assert_eq!(compared(b"right", Some(&hashes[3])), (Comparison::Right { better: None }, WORK));
        for hash in &hashes {
            let (comparison, work) = compared(b"wrong", Some(hash));
            assert_eq!(comparison, Comparison::Wrong, "{hash}");
            // Except for rounding when the memory is divided into passes.
            assert!(work.abs_diff(WORK) <= 8, "{work} instead of {WORK}: {hash}");
        }
    }

    #[test]
    fn a_renewed_hash_costs_at_most_one_hash_more() {
        let old = Workbench::default().hash(b"right", OLD).unwrap();
        let (comparison, work) = compared(b"right", Some(&old));
        let Comparison::Right { better: Some(better) } = comparison else { panic!("a better hash") };
        assert!(better.starts_with("$argon2id$v=19$m=24576,t=3,p=1$"), "{better}");
        assert!((WORK..=2 * WORK).contains(&work), "{work}");
    }

    #[test]
    fn reused_memory_does_not_change_hashes() {
        let mut workbench = Workbench::default();
        let hash = workbench.hash(b"right", OLD).unwrap();
        for cost in [OLD, TODAY, HashCost { memory_kib: 64, iterations: 1 }, OLD] {
            workbench.hash(b"something else", cost).unwrap();
            assert!(workbench.matches(b"right", &hash).unwrap());
            assert!(!workbench.matches(b"wrong", &hash).unwrap());
        }
    }

    #[test]
    fn the_argon2_crate_verifies_our_hashes() {
        use argon2::password_hash::PasswordVerifier;
        let hash = Workbench::default().hash(b"right", OLD).unwrap();
        assert!(Argon2::default().verify_password(b"right", &*hash).is_ok());
        assert!(Argon2::default().verify_password(b"wrong", &*hash).is_err());
    }
}
