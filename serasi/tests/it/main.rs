//! The launcher as people meet it: the real program, a real PostgreSQL, a data directory per test.

mod refusals;
mod start_and_stop;
mod support;
