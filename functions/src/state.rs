//! The state that all functions share.

use std::sync::Arc;

use platform::log_limit::LogLimit;

use crate::clients::auth::AuthClient;
use crate::clients::gateway::Gateway;
use crate::config::Config;

pub struct Functions {
    pub config: Config,
    pub auth: AuthClient,
    pub gateway: Gateway,
    /// Limits log lines about denied attempts.
    pub denials_logged: LogLimit,
}

pub type Shared = Arc<Functions>;
