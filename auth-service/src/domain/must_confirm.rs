//! Which accounts must confirm their address before they can sign in.

use std::str::FromStr;

use serde_json::Value;

use super::metadata::Metadata;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MustConfirm {
    Everybody,
    /// Accounts with one of these values of `user_type` in their data.
    Types(Vec<String>),
}

impl MustConfirm {
    pub fn applies_to(&self, data: &Metadata) -> bool {
        match self {
            Self::Everybody => true,
            Self::Types(types) => data
                .get("user_type")
                .and_then(Value::as_str)
                .is_some_and(|user_type| types.iter().any(|one| one == user_type)),
        }
    }

    pub fn nobody(&self) -> bool {
        matches!(self, Self::Types(types) if types.is_empty())
    }
}

impl FromStr for MustConfirm {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_lowercase().as_str() {
            "all" => Ok(Self::Everybody),
            "none" => Ok(Self::Types(Vec::new())),
            _ => {
                let types: Vec<_> = text.split(',').map(|name| name.trim().to_owned()).collect();
                if types.iter().any(String::is_empty) {
                    return Err("expected `all`, `none`, or a list of user types");
                }
                Ok(Self::Types(types))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_setting_is_all_none_or_a_list_of_types() {
        let applies = |setting: &str, user_type: Value| {
            let data = Metadata::parse(json!({ "user_type": user_type })).unwrap();
            setting.parse::<MustConfirm>().unwrap().applies_to(&data)
        };
        assert!(applies("member", json!("member")) && applies("guest, member", json!("member")));
        for other in [json!("guest"), json!("Member"), json!(null), json!(["member"]), json!("")] {
            assert!(!applies("member", other.clone()) && applies("all", other.clone()), "{other}");
            assert!(!applies("none", other));
        }
        assert!("none".parse::<MustConfirm>().unwrap().nobody());
        assert!("member,".parse::<MustConfirm>().is_err());
    }
}
