//! Threads that compute one task after the other, and what the system is told about them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::super::workbench::Workbench;
use super::task::Work;

#[derive(Debug, Clone, Copy)]
pub enum Manner {
    /// Has the processor only while nobody else wants it.
    Quiet,
    /// Has its share of it, a small one.
    Insistent,
}

/// They end with it, when they have done what was taken.
pub struct Threads {
    tasks: Sender<Arc<dyn Work>>,
}

impl Threads {
    /// # Errors
    /// When the system gives no threads.
    pub fn start(number: usize, manner: Manner) -> std::io::Result<Self> {
        let (tasks, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..number {
            let queue = Arc::clone(&queue);
            let name = match manner {
                Manner::Quiet => format!("quiet-{number}"),
                Manner::Insistent => format!("insistent-{number}"),
            };
            thread::Builder::new().name(name).spawn(move || {
                system::step_back(manner, number);
                work_off(&queue);
            })?;
        }
        Ok(Self { tasks })
    }

    pub fn take(&self, task: Arc<dyn Work>) {
        // They all live as long as this: nothing that they compute can end them.
        let _ = self.tasks.send(task);
    }
}

fn work_off(queue: &Mutex<Receiver<Arc<dyn Work>>>) {
    let mut workbench = Workbench::default();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        task.compute(&mut workbench);
    }
}

/// Linux gives each thread a priority of its own.
#[cfg(target_os = "linux")]
mod system {
    use anyhow::{Context, anyhow};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };

    use super::Manner;

    /// Steps of niceness.
    const INSISTENT: i32 = 10;

    pub fn step_back(manner: Manner, number: usize) {
        let done = match manner {
            Manner::Quiet => be_idle().and_then(|()| keep_to_one_core(number)),
            Manner::Insistent => rustix::process::nice(INSISTENT).map(drop).map_err(Into::into),
        };
        if let Err(error) = done {
            tracing::warn!(%error, ?manner, "hashes are computed at the same priority as everything else");
        }
    }

    /// Not only nice: whoever wakes up displaces such a thread at once, instead of at the next tick.
    fn be_idle() -> anyhow::Result<()> {
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle)
            .map_err(|error| anyhow!("{error}"))
    }

    /// Displaced from its core it would otherwise go and displace others from theirs.
    fn keep_to_one_core(number: usize) -> anyhow::Result<()> {
        let ours = sched_getaffinity(None)?;
        let mut cores = (0..CpuSet::MAX_CPU).filter(|core| ours.is_set(*core)).cycle();
        let mut one = CpuSet::new();
        one.set(cores.nth(number).context("a core to run on")?);
        Ok(sched_setaffinity(None, &one)?)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn quiet_threads_give_way_and_keep_to_their_core() {
            let seen = |manner, number| {
                let thread = std::thread::spawn(move || {
                    step_back(manner, number);
                    let policy = thread_priority::thread_schedule_policy().unwrap();
                    let niceness = rustix::process::getpriority_process(None).unwrap();
                    (policy, niceness, sched_getaffinity(None).unwrap().count())
                });
                thread.join().unwrap()
            };
            let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
            let other = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Other);
            let own = rustix::process::getpriority_process(None).unwrap();
            let cores = sched_getaffinity(None).unwrap().count();

            // Also with more threads than cores.
            assert_eq!(seen(Manner::Quiet, 99), (idle, own, 1));
            assert_eq!(seen(Manner::Insistent, 0), (other, (own + INSISTENT).min(19), cores));
        }
    }
}

/// Elsewhere the priority would be the whole process's: there they stay as they are.
#[cfg(not(target_os = "linux"))]
mod system {
    pub const fn step_back(_: super::Manner, _: usize) {}
}
