//! The three account types open to sign-up, and which of them must confirm their address first.

use std::str::FromStr;

use serde_json::Value;

use super::metadata::Metadata;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserType {
    Influencer,
    Agency,
    Vendor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("user_type must be influencer, agency or vendor")]
pub struct UnknownUserType;

impl FromStr for UserType {
    type Err = UnknownUserType;

    fn from_str(text: &str) -> Result<Self, UnknownUserType> {
        match text {
            "influencer" => Ok(Self::Influencer),
            "agency" => Ok(Self::Agency),
            "vendor" => Ok(Self::Vendor),
            _ => Err(UnknownUserType),
        }
    }
}

impl UserType {
    /// The type given in the sign-up data. Missing or null means an account without a role.
    ///
    /// # Errors
    /// Fails on any other value. The database rejects it too; this check saves the round trip.
    pub fn named_in(data: &Metadata) -> Result<Option<Self>, UnknownUserType> {
        match data.get("user_type") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => text.parse().map(Some),
            Some(_) => Err(UnknownUserType),
        }
    }
}

/// Which accounts must confirm their address before they can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MustConfirm {
    Everybody,
    Types(Vec<UserType>),
}

impl MustConfirm {
    pub fn applies_to(&self, user_type: Option<UserType>) -> bool {
        match self {
            Self::Everybody => true,
            Self::Types(types) => user_type.is_some_and(|user_type| types.contains(&user_type)),
        }
    }

    pub fn nobody(&self) -> bool {
        matches!(self, Self::Types(types) if types.is_empty())
    }
}

impl FromStr for MustConfirm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "all" => Ok(Self::Everybody),
            "none" => Ok(Self::Types(Vec::new())),
            list => {
                let types =
                    list.split(',').map(|name| name.trim().parse()).collect::<Result<_, UnknownUserType>>();
                types
                    .map(Self::Types)
                    .map_err(|_| "expected `all`, `none`, or a list of influencer, agency, vendor".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named_in(data: Value) -> Result<Option<UserType>, UnknownUserType> {
        UserType::named_in(&Metadata::parse(data).unwrap())
    }

    #[test]
    fn only_the_three_types_are_known() {
        assert_eq!(named_in(json!({})), Ok(None));
        assert_eq!(named_in(json!({ "user_type": null })), Ok(None));
        assert_eq!(named_in(json!({ "user_type": "agency" })), Ok(Some(UserType::Agency)));
        for wrong in
            [json!("admin"), json!("superadmin"), json!("Vendor"), json!(""), json!(1), json!(["vendor"])]
        {
            assert_eq!(named_in(json!({ "user_type": wrong })), Err(UnknownUserType));
        }
    }

    #[test]
    fn the_setting_is_all_none_or_a_list_of_types() {
        let vendor: MustConfirm = "vendor".parse().unwrap();
        assert!(vendor.applies_to(Some(UserType::Vendor)));
        assert!(!vendor.applies_to(Some(UserType::Influencer)) && !vendor.applies_to(None));
        assert!("all".parse::<MustConfirm>().unwrap().applies_to(None));
        assert!("none".parse::<MustConfirm>().unwrap().nobody());
        assert!("agency, vendor".parse::<MustConfirm>().unwrap().applies_to(Some(UserType::Agency)));
        assert!("vendors".parse::<MustConfirm>().is_err());
    }
}
