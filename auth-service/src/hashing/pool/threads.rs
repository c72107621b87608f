//! Worker threads that compute one task after another, at a given scheduling priority.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::super::workbench::Workbench;
use super::task::Work;

/// How long the threads wait for a task before they return the memory of the last one.
const IDLE_TIME: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy)]
pub enum Priority {
    /// Runs only while no other thread wants the processor.
    Idle,
    /// Runs beside everything else, at a low nice priority.
    Normal,
}

/// Dropping it ends the threads once they have finished the queued tasks.
pub struct Threads {
    tasks: Sender<Arc<dyn Work>>,
}

impl Threads {
    /// # Errors
    /// Fails when the system can't start threads.
    pub fn start(number: usize, priority: Priority) -> std::io::Result<Self> {
        let (tasks, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..number {
            let queue = Arc::clone(&queue);
            let name = match priority {
                Priority::Idle => format!("idle-{number}"),
                Priority::Normal => format!("normal-{number}"),
            };
            thread::Builder::new().name(name).spawn(move || {
                system::lower_priority(priority, number);
                run_tasks(&queue, IDLE_TIME);
            })?;
        }
        Ok(Self { tasks })
    }

    pub fn take(&self, task: Arc<dyn Work>) {
        // The threads live as long as the sender: `compute` catches panics.
        let _ = self.tasks.send(task);
    }
}

fn run_tasks(queue: &Mutex<Receiver<Arc<dyn Work>>>, idle_time: Duration) {
    let mut workbench = Workbench::default();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(idle_time);
        match next {
            Ok(task) => task.compute(&mut workbench),
            Err(RecvTimeoutError::Timeout) => workbench.release_memory(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::HashCost;

    const COST: HashCost = HashCost { memory_kib: 64, iterations: 1 };

    struct Hash(Sender<bool>);

    impl Work for Hash {
        fn compute(&self, workbench: &mut Workbench) {
            self.0.send(workbench.holds_memory()).unwrap();
            workbench.hash(b"password", COST).unwrap();
        }
    }

    #[test]
    fn idle_threads_return_the_memory_of_their_last_task() {
        let (tasks, queue) = channel();
        let (report, reports) = channel();
        let hash: Arc<dyn Work> = Arc::new(Hash(report));
        for _ in 0..2 {
            tasks.send(Arc::clone(&hash)).unwrap();
        }
        thread::scope(|scope| {
            scope.spawn(move || run_tasks(&Mutex::new(queue), Duration::from_millis(50)));
            assert!(!reports.recv().unwrap(), "before the first task");
            assert!(reports.recv().unwrap(), "between tasks");
            loop {
                thread::sleep(Duration::from_millis(100));
                tasks.send(Arc::clone(&hash)).unwrap();
                if !reports.recv().unwrap() {
                    break;
                }
            }
            drop(tasks);
        });
    }
}

/// On Linux each thread has its own priority.
#[cfg(target_os = "linux")]
mod system {
    use anyhow::{Context, anyhow};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };

    use super::Priority;

    /// Nice value added for normal-priority threads.
    const NICENESS: i32 = 10;

    pub fn lower_priority(priority: Priority, number: usize) {
        let done = match priority {
            Priority::Idle => be_idle().and_then(|()| keep_to_one_core(number)),
            Priority::Normal => rustix::process::nice(NICENESS).map(drop).map_err(Into::into),
        };
        if let Err(error) = done {
            tracing::warn!(%error, ?priority, "hashes are computed at the same priority as everything else");
        }
    }

    /// SCHED_IDLE, not just a nice value: any thread that wakes up preempts an idle one immediately instead
    /// of at the next tick.
    fn be_idle() -> anyhow::Result<()> {
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle)
            .map_err(|error| anyhow!("{error}"))
    }

    /// Pinned to a core: a preempted thread would otherwise migrate and disturb the other cores.
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
        fn idle_threads_use_the_idle_policy_and_stay_on_one_core() {
            let seen = |priority, number| {
                let thread = std::thread::spawn(move || {
                    lower_priority(priority, number);
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

            // Also works with more threads than cores.
            assert_eq!(seen(Priority::Idle, 99), (idle, own, 1));
            assert_eq!(seen(Priority::Normal, 0), (other, (own + NICENESS).min(19), cores));
        }
    }
}

/// On other systems the priority would apply to the whole process, so threads keep theirs.
#[cfg(not(target_os = "linux"))]
mod system {
    pub const fn lower_priority(_: super::Priority, _: usize) {}
}
