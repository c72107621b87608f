//! Members of JSON bodies that may have another type. Supabase's server converts them, and its Python client sends
//! `expiresIn` as a string.

use serde::de::{Deserialize, Deserializer, Error};

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Scalar {
    Boolean(bool),
    Integer(i64),
    Text(String),
}

/// # Errors
/// Fails unless the member is an integer or a string of one.
pub fn integer<'de, D: Deserializer<'de>>(member: D) -> Result<i64, D::Error> {
    match Scalar::deserialize(member)? {
        Scalar::Integer(number) => Ok(number),
        Scalar::Text(text) => text.trim().parse().map_err(|_| D::Error::custom("must be integer")),
        Scalar::Boolean(_) => Err(D::Error::custom("must be integer")),
    }
}

/// # Errors
/// Fails unless the member is null or accepted by [`integer`].
pub fn optional_integer<'de, D: Deserializer<'de>>(member: D) -> Result<Option<i64>, D::Error> {
    #[derive(serde::Deserialize)]
    struct Given(#[serde(deserialize_with = "integer")] i64);
    Ok(Option::<Given>::deserialize(member)?.map(|Given(number)| number))
}

/// # Errors
/// Fails unless the member is a boolean, `"true"`, `"false"`, 1 or 0.
pub fn boolean<'de, D: Deserializer<'de>>(member: D) -> Result<bool, D::Error> {
    match Scalar::deserialize(member)? {
        Scalar::Boolean(value) => Ok(value),
        Scalar::Integer(number @ (0 | 1)) => Ok(number == 1),
        Scalar::Text(text) if text == "true" || text == "false" => Ok(text == "true"),
        _ => Err(D::Error::custom("must be boolean")),
    }
}

/// # Errors
/// Fails unless the member is null or accepted by [`boolean`].
pub fn optional_boolean<'de, D: Deserializer<'de>>(member: D) -> Result<Option<bool>, D::Error> {
    #[derive(serde::Deserialize)]
    struct Given(#[serde(deserialize_with = "boolean")] bool);
    Ok(Option::<Given>::deserialize(member)?.map(|Given(value)| value))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn texts_of_integers_and_booleans_are_converted() {
        for (given, number) in [(json!(60), Some(60)), (json!(" 60 "), Some(60)), (json!(null), None)] {
            assert_eq!(super::optional_integer(&given).ok(), Some(number), "{given}");
        }
        for (given, value) in [
            (json!(true), Some(true)),
            (json!("false"), Some(false)),
            (json!(1), Some(true)),
            (json!(null), None),
        ] {
            assert_eq!(super::optional_boolean(&given).ok(), Some(value), "{given}");
        }
        for given in [json!("x"), json!(""), json!(1.5), json!([]), json!("TRUE"), json!(2.0)] {
            assert!(super::integer(&given).is_err() && super::boolean(&given).is_err(), "{given}");
        }
        assert!(super::integer(&Value::Null).is_err());
    }
}
