//! The behavior of visitors, members and an admin: one action after another, with pauses.

use std::time::{Duration, Instant};

use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};
use rand::Rng;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::api::Api;

const PASSWORD: &str = "Soak-password-1";
const PICTURE: &str = "/storage/v1/object/public/images/demo/portraits/aisyah.webp";
const LISTS: [&str; 6] = [
    "/rest/v1/influencers?select=id,name,username,category,profile_image&approved=is.true&order=created_at.desc,id.desc&limit=24",
    "/rest/v1/influencers?select=id,name&name=ilike.*a*&limit=24",
    "/rest/v1/influencers?select=id,name&category=eq.Travel&order=instagram_followers_count.desc.nullslast&limit=24",
    "/rest/v1/agencies?select=*&order=created_at.desc&limit=24",
    "/rest/v1/vendors?select=*&type=eq.Catering&limit=24",
    "/rest/v1/influencers?select=id&limit=1&offset=20",
];

/// Runs until the given time.
pub async fn live(api: &Api, number: usize, until: Instant) {
    while Instant::now() < until {
        match number {
            0 => admin(api).await,
            _ if number % 5 == 1 => member(api).await,
            _ => visitor(api).await,
        };
        // Pause even after a failure, because people don't retry immediately.
        pause().await;
    }
}

fn random(end: u64) -> u64 {
    rand::rng().random_range(0..end)
}

async fn pause() {
    sleep(Duration::from_millis(60 + random(180))).await;
}

/// Browses the public pages.
async fn visitor(api: &Api) -> Option<()> {
    let key = &api.anon_key;
    let list = api.get("list", LISTS[random(LISTS.len() as u64) as usize], key).await?;
    pause().await;
    if let Some(id) = list[0]["id"].as_str() {
        api.get("profile", &format!("/rest/v1/influencers?select=*&id=eq.{id}"), key).await;
        pause().await;
    }
    match random(8) {
        0 | 1 => api.get("picture", PICTURE, key).await?,
        2 => {
            let width = 80 + 40 * random(6);
            let path = PICTURE.replace("/object/public/", "/render/image/public/");
            api.get("render", &format!("{path}?width={width}&height={width}"), key).await?
        }
        3 => {
            let body = json!({ "email": format!("news-{:x}@serasi.test", random(u64::MAX)) });
            let path = "/rest/v1/newsletter_subscriptions";
            api.send_limited("newsletter", api.request(Method::POST, path, key).json(&body)).await?
        }
        _ => Value::Null,
    };
    pause().await;
    Some(())
}

/// Signs up, edits a profile, signs out. The service key then deletes the account, so the tables don't
/// grow.
async fn member(api: &Api) -> Option<()> {
    let (anon, service) = (&api.anon_key, &api.service_role_key);
    let mark = random(u64::MAX);
    let email = format!("soak-{mark:x}@serasi.test");
    let account = json!({ "email": email, "password": PASSWORD, "data": { "user_type": "influencer" } });
    let signed_up = api.post("sign-up", "/auth/v1/signup", anon, &account).await?;
    let id = signed_up["id"].as_str().or(signed_up["user"]["id"].as_str())?.to_owned();
    pause().await;
    // Confirm the address with the service key, where confirmation is required.
    let path = format!("/auth/v1/admin/users/{id}");
    api.send("confirm", api.request(Method::PUT, &path, service).json(&json!({ "email_confirm": true })))
        .await?;
    let credentials = json!({ "email": email, "password": PASSWORD });
    let session = api.post("sign-in", "/auth/v1/token?grant_type=password", anon, &credentials).await?;
    let mut token = session["access_token"].as_str()?.to_owned();
    let mut refresh = session["refresh_token"].as_str()?.to_owned();
    pause().await;
    let profile =
        json!({ "name": "Soak", "username": format!("soak{mark:x}"), "category": "Travel", "user_id": id });
    api.post("new profile", "/rest/v1/influencers", &token, &profile).await?;
    for round in 0..4 {
        edit_profile(api, &id, &token, round).await?;
        let body = json!({ "refresh_token": refresh });
        let session = api.post("refresh", "/auth/v1/token?grant_type=refresh_token", anon, &body).await?;
        token = session["access_token"].as_str()?.to_owned();
        refresh = session["refresh_token"].as_str()?.to_owned();
        api.get("account", "/auth/v1/user", &token).await?;
        pause().await;
    }
    let one = format!("/storage/v1/object/images/{id}/picture0.png");
    api.send("delete picture", api.request(Method::DELETE, &one, &token)).await?;
    api.post("sign-out", "/auth/v1/logout", &token, &json!({})).await?;
    api.send("delete account", api.request(Method::DELETE, &path, service).json(&json!({}))).await?;
    Some(())
}

/// Uploads a picture, saves the profile with it, and looks at both.
async fn edit_profile(api: &Api, id: &str, token: &str, round: usize) -> Option<()> {
    let key = format!("/storage/v1/object/images/{id}/picture{round}.png");
    let upload = api.request(Method::POST, &key, token).header("content-type", "image/png").body(picture());
    api.send("upload", upload).await?;
    pause().await;
    let own = format!("/rest/v1/influencers?user_id=eq.{id}");
    let (public, render) =
        (key.replace("/object/", "/object/public/"), key.replace("/object/", "/render/image/public/"));
    let change = json!({ "bio": format!("Round {round}"), "profile_image": public });
    api.send("save", api.request(Method::PATCH, &own, token).json(&change)).await?;
    pause().await;
    api.get("own profile", &format!("{own}&select=*"), token).await?;
    api.get("own picture", &public, &api.anon_key).await?;
    api.get("own render", &format!("{render}?width=64"), &api.anon_key).await?;
    pause().await;
    Some(())
}

/// Browses lists, approves pending profiles, and occasionally creates an admin.
async fn admin(api: &Api) -> Option<()> {
    let credentials = json!({ "email": "superadmin@demo.serasi.test", "password": "serasi-demo" });
    let session =
        api.post("admin sign-in", "/auth/v1/token?grant_type=password", &api.anon_key, &credentials).await?;
    let token = session["access_token"].as_str()?;
    for _ in 0..20 {
        pause().await;
        api.get("admin counts", "/rest/v1/moderation_counts?select=*", token).await?;
        let pending = "/rest/v1/influencers?select=id,name&approved=is.false&order=created_at&limit=20";
        let waiting = api.get("admin list", pending, token).await?;
        pause().await;
        // The member may already be deleted. Then nothing changes, which is also correct.
        if let Some(id) = waiting[0]["id"].as_str() {
            let approve = api.request(Method::PATCH, &format!("/rest/v1/influencers?id=eq.{id}"), token);
            api.send("approve", approve.json(&json!({ "approved": true }))).await?;
        }
        pause().await;
    }
    let email = format!("soak-admin-{:x}@serasi.test", random(u64::MAX));
    let wanted = json!({ "email": email, "password": PASSWORD, "role": "admin" });
    let made = api.post("create-admin", "/functions/v1/create-admin", token, &wanted).await?;
    let path = format!("/auth/v1/admin/users/{}", made["user"]["id"].as_str()?);
    api.send("delete admin", api.request(Method::DELETE, &path, &api.service_role_key).json(&json!({})))
        .await?;
    api.post("admin sign-out", "/auth/v1/logout?scope=local", token, &json!({})).await?;
    Some(())
}

/// A different picture each time.
fn picture() -> Vec<u8> {
    let (red, green) = (random(256) as u8, random(256) as u8);
    let picture =
        RgbImage::from_fn(160, 120, |x, y| Rgb([red.wrapping_add(x as u8), green.wrapping_mul(y as u8), 90]));
    let mut bytes = Vec::new();
    let _ = picture.write_with_encoder(PngEncoder::new(&mut bytes));
    bytes
}
