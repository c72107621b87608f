use super::*;

fn keys(letter: &str) -> JwtKeys {
    JwtKeys::from_secret(Secret::new(letter.repeat(32))).unwrap()
}

#[test]
fn a_short_secret_is_rejected() {
    assert!(JwtKeys::from_secret(Secret::new("x".repeat(31))).is_err());
}

#[test]
fn only_our_own_signature_is_accepted() {
    let token = keys("a").role_key("anon").unwrap();
    assert_eq!(keys("a").verify(&token).unwrap().role(), Some("anon"));
    assert_eq!(keys("b").verify(&token), Err(TokenError::Signature));
}

#[test]
fn a_token_for_another_audience_is_rejected() {
    let with_audience = |audience: Value| {
        let token = keys("a").sign(&json!({ "role": "service_role", "aud": audience })).unwrap();
        keys("a").verify(&token)
    };
    for ours in [json!("authenticated"), json!(["x", "authenticated"]), Value::Null] {
        assert!(with_audience(ours.clone()).is_ok(), "{ours}");
    }
    for other in [json!("x"), json!(""), json!("Authenticated"), json!([]), json!(["x"])] {
        assert_eq!(with_audience(other.clone()), Err(TokenError::WrongAudience), "{other}");
    }
    for invalid in [json!(7), json!({}), json!([["authenticated"]])] {
        assert_eq!(with_audience(invalid.clone()), Err(TokenError::BadAudience), "{invalid}");
    }
}

#[test]
fn an_unsigned_token_is_rejected() {
    // {"alg":"none"}.{"role":"service_role"}.
    let token = "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.";
    assert!(keys("a").verify(token).is_err());
}

fn set(keys: &[&Value]) -> String {
    json!({ "keys": keys }).to_string()
}

fn with_keys(signing_keys: &str) -> Result<JwtKeys, ConfigError> {
    let secret = "a".repeat(32);
    JwtKeys::of_issuer(&Env::from_iter([("JWT_SECRET", secret.as_str()), ("JWT_SIGNING_KEYS", signing_keys)]))
}

fn without(key: &Value, member: &str) -> Value {
    let mut key = key.clone();
    key.as_object_mut().unwrap().remove(member);
    key
}

#[test]
fn the_first_key_signs_and_older_keys_still_verify() {
    let (old, new) = (generate_signing_key(), generate_signing_key());
    let before = with_keys(&set(&[&old])).unwrap();
    let after = with_keys(&set(&[&new, &without(&old, "d")])).unwrap();
    let claims = json!({ "sub": "x" });
    let (early, late) = (before.sign_for_account(&claims).unwrap(), after.sign_for_account(&claims).unwrap());
    assert_eq!(jsonwebtoken::decode_header(&late).unwrap().kid.as_deref(), new["kid"].as_str());
    assert_eq!(after.verify(&early).unwrap().text("sub"), Some("x"));
    assert_eq!(after.verify(&late).unwrap().text("sub"), Some("x"));
    assert!(before.verify(&late).is_err());
    // The anon key and the service key are still signed with the secret.
    assert!(keys("a").verify(&after.role_key("anon").unwrap()).is_ok());

    let shown = after.public_keys();
    assert_eq!(shown["keys"].as_array().unwrap().len(), 2);
    assert!(!shown.to_string().contains("\"d\""), "{shown}");
}

#[test]
fn a_header_cannot_choose_the_algorithm_of_a_key() {
    let key = generate_signing_key();
    let ours = with_keys(&set(&[&key])).unwrap();
    let kid = || key["kid"].as_str().map(str::to_owned);
    let claims = json!({ "role": "service_role" });
    let with = |alg, kid, key: &EncodingKey| {
        let mut header = Header::new(alg);
        header.kid = kid;
        jsonwebtoken::encode(&header, &claims, key).unwrap()
    };
    let stranger = with_keys(&set(&[&generate_signing_key()])).unwrap();
    let (header, foreign) = stranger.signing.signer().unwrap();
    let (_, own) = ours.signing.signer().unwrap();
    let public = ours.public_keys();
    let point: Vec<u8> = ["x", "y"]
        .iter()
        .flat_map(|name| URL_SAFE_NO_PAD.decode(public["keys"][0][name].as_str().unwrap()).unwrap())
        .collect();
    let secrets = [
        public.to_string().into_bytes(),
        public["keys"][0].to_string().into_bytes(),
        [vec![4], point.clone()].concat(),
        point,
    ];
    for secret in secrets {
        let secret = EncodingKey::from_secret(&secret);
        assert!(ours.verify(&with(Algorithm::HS256, None, &secret)).is_err());
        assert!(ours.verify(&with(Algorithm::HS256, kid(), &secret)).is_err());
    }
    assert!(ours.verify(&with(Algorithm::HS256, kid(), &ours.encoding)).is_err());
    assert!(ours.verify(&with(Algorithm::HS512, None, &ours.encoding)).is_err());
    assert!(ours.verify(&with(Algorithm::ES256, kid(), foreign)).is_err());
    assert!(ours.verify(&with(Algorithm::ES256, header.kid, foreign)).is_err());
    assert!(ours.verify(&with(Algorithm::ES256, None, own)).is_err());
    assert!(keys("a").verify(&with(Algorithm::ES256, kid(), own)).is_err());
    assert!(ours.verify(&with(Algorithm::ES256, kid(), own)).is_ok());
}

#[test]
fn errors_name_the_setting_without_quoting_keys() {
    let (one, other) = (generate_signing_key(), generate_signing_key());
    let mut mixed = one.clone();
    mixed["d"] = other["d"].clone();
    let mut nowhere = without(&one, "d");
    nowhere["y"] = nowhere["x"].clone();
    for unusable in [
        "nonsense".to_owned(),
        "@/no/such/file".to_owned(),
        set(&[]),
        set(&[&one, &one]),
        set(&[&mixed]),
        set(&[&nowhere]),
        set(&[&without(&one, "d")]),
        set(&[&without(&one, "kid")]),
        set(&[&json!({ "kty": "oct", "kid": "a", "k": "c2VjcmV0" })]),
        format!("{{\"keys\": [{one}]"),
    ] {
        let error = with_keys(&unusable).err().unwrap();
        assert_eq!(error.variable, "JWT_SIGNING_KEYS");
        assert!(!error.problem.contains(one["d"].as_str().unwrap()), "{error}");
    }
    let file = std::env::temp_dir().join(format!("signing-keys-{}.json", crate::random::token(8)));
    std::fs::write(&file, set(&[&one])).unwrap();
    let read = with_keys(&format!("@{}", file.display()));
    std::fs::remove_file(&file).unwrap();
    assert!(read.is_ok());
}
