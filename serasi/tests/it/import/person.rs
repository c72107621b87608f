//! A signed-in user.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::product::Product;

pub struct Person<'a> {
    product: &'a Product,
    pub http: Client,
    pub token: String,
    pub user: Value,
}

impl<'a> Person<'a> {
    pub async fn sign_in(product: &'a Product, email: &str) -> Result<Self, Value> {
        let person = json!({ "email": email, "password": "correct horse" });
        let path = "/auth/v1/token?grant_type=password";
        let answer: Value =
            product.request(Method::POST, path).json(&person).send().await.unwrap().json().await.unwrap();
        let Some(token) = answer["access_token"].as_str() else { return Err(answer) };
        Ok(Self { product, http: Client::new(), token: token.to_owned(), user: answer["user"].clone() })
    }

    pub fn visitor(product: &'a Product) -> Self {
        Self { product, http: Client::new(), token: product.settings["ANON_KEY"].clone(), user: Value::Null }
    }

    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let url = format!("http://127.0.0.1:{}{path}", self.product.port);
        let mut request =
            self.http.request(method, url).bearer_auth(&self.token).header("prefer", "return=representation");
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(Method::GET, path, None).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }
}
