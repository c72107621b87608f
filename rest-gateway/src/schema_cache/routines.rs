//! Functions that requests can call.

use serde::Deserialize;
use serde_json::{Value, json};

use super::tables::dump_name;

#[derive(Debug, Clone, Deserialize)]
pub struct Routine {
    pub schema: String,
    pub name: String,
    pub description: Option<String>,
    pub parameters: Vec<Parameter>,
    returns_schema: String,
    returns: String,
    returns_set: bool,
    returns_composite: bool,
    volatility: String,
    pub variadic: bool,
    /// Function settings that apply to the whole transaction.
    pub settings: Vec<(String, String)>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Parameter {
    /// Empty for an unnamed parameter.
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// The type without a length limit.
    pub wide_type: String,
    pub required: bool,
    pub variadic: bool,
}

impl Routine {
    pub fn returns_scalar(&self) -> bool {
        !self.returns_set && !self.returns_composite
    }

    pub fn returns_set_of_scalar(&self) -> bool {
        self.returns_set && !self.returns_composite
    }

    pub fn returns_single(&self) -> bool {
        !self.returns_set
    }

    pub fn returns_void(&self) -> bool {
        self.returns_scalar() && self.returns_schema == "pg_catalog" && self.returns == "void"
    }

    /// The table whose rows the function returns. Its columns and relations then apply to the result.
    pub fn table_name(&self) -> Option<&str> {
        self.returns_composite.then_some(self.returns.as_str())
    }

    pub fn is_volatile(&self) -> bool {
        self.volatility == "v"
    }

    pub fn isolation_level(&self) -> Option<&str> {
        let wanted = "default_transaction_isolation";
        self.settings.iter().find(|(name, _)| name == wanted).map(|(_, level)| level.as_str())
    }

    pub(super) fn dump(&self) -> Value {
        let kind = json!({
            "contents": if self.returns_composite {
                json!([dump_name(&self.returns_schema, &self.returns), false])
            } else {
                dump_name(&self.returns_schema, &self.returns)
            },
            "tag": if self.returns_composite { "Composite" } else { "Scalar" },
        });
        let parameters: Vec<Value> = self
            .parameters
            .iter()
            .map(|parameter| {
                json!({
                    "ppName": parameter.name,
                    "ppReq": parameter.required,
                    "ppType": parameter.kind,
                    "ppTypeMaxLength": parameter.wide_type,
                    "ppVar": parameter.variadic,
                })
            })
            .collect();
        let volatility = match self.volatility.as_str() {
            "i" => "Immutable",
            "s" => "Stable",
            _ => "Volatile",
        };
        json!({
            "pdDescription": self.description,
            "pdFuncSettings": self.settings,
            "pdHasVariadic": self.variadic,
            "pdIsoLvl": self.isolation_level(),
            "pdName": self.name,
            "pdParams": parameters,
            "pdReturnType": { "contents": kind, "tag": if self.returns_set { "SetOf" } else { "Single" } },
            "pdSchema": self.schema,
            "pdVolatility": volatility,
        })
    }

    /// The single unnamed parameter, which takes the whole request body.
    pub fn body_parameter(&self) -> Option<&Parameter> {
        match self.parameters.as_slice() {
            [only] if only.name.is_empty() => Some(only),
            _ => None,
        }
    }
}
