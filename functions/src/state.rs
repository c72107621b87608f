//! The state that all functions share.

use std::sync::Arc;

use crate::clients::auth::AuthClient;
use crate::clients::gateway::Gateway;
use crate::config::Config;

pub struct Functions {
    pub config: Config,
    pub auth: AuthClient,
    pub gateway: Gateway,
}

pub type Shared = Arc<Functions>;
