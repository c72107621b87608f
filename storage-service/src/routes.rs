//! The routes: one file per kind of request.

mod bucket;
mod coerced;
mod download;
mod json_body;
mod object;
mod object_target;
mod purge;
mod read;
mod render;
mod signed_token;

use axum::extract::Request;
use axum::routing::{delete, get, post};
use axum::{Extension, Router};

use self::read::Access;
use crate::error::ApiError;
use crate::state::AppState;

pub fn router(state: AppState) -> Router {
    Router::new()
        .merge(buckets())
        .merge(reading())
        .merge(listing())
        .merge(writing())
        .merge(purging())
        .route("/status", get(async || "ok"))
        .route("/statusz", get(async || "ok"))
        .route("/version", get(async || platform::version::version()))
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_route)
        .with_state(state)
}

fn buckets() -> Router<AppState> {
    Router::new()
        .route("/bucket", post(bucket::create).get(bucket::list))
        .route("/bucket/{bucket}", get(bucket::get).put(bucket::update).delete(bucket::delete))
        .route("/bucket/{bucket}/empty", post(bucket::empty))
}

fn reading() -> Router<AppState> {
    // HEAD has the headers of the object itself.
    let info = || get(object::get::info).head(object::get::get);
    let public = Router::new()
        .route("/object/public/{bucket}/{*key}", get(object::get::get))
        .route("/object/info/public/{bucket}/{*key}", info())
        .route("/render/image/public/{bucket}/{*key}", get(render::image));
    let authenticated = Router::new()
        .route("/object/authenticated/{bucket}/{*key}", get(object::get::get))
        .route("/object/info/authenticated/{bucket}/{*key}", info())
        .route("/render/image/authenticated/{bucket}/{*key}", get(render::image));
    let either = Router::new()
        .route("/object/{bucket}/{*key}", get(object::get::get))
        .route("/object/info/{bucket}/{*key}", info());
    let signed = Router::new()
        .route("/object/sign/{bucket}/{*key}", get(object::get::get))
        .route("/render/image/sign/{bucket}/{*key}", get(render::image));
    Router::new()
        .merge(public.layer(Extension(Access::Public)))
        .merge(authenticated.layer(Extension(Access::Authenticated)))
        .merge(either.layer(Extension(Access::Either)))
        .merge(signed.layer(Extension(Access::Signed)))
}

fn listing() -> Router<AppState> {
    Router::new()
        .route("/object/list/{bucket}", post(object::list::list))
        .route("/object/list-v2/{bucket}", post(object::list::list_v2))
        .route("/object/sign/{bucket}", post(object::sign::sign_many))
        .route("/object/sign/{bucket}/{*key}", post(object::sign::sign))
}

fn writing() -> Router<AppState> {
    let object = post(object::upload::store).put(object::upload::store);
    let signed = post(object::sign::sign_upload).put(object::upload::upload_signed);
    Router::new()
        .route("/object/move", post(object::transfer::move_object))
        .route("/object/copy", post(object::transfer::copy))
        .route("/object/upload/sign/{bucket}/{*key}", signed)
        .route("/object/{bucket}", delete(object::remove::remove_many))
        // An empty key gets the error for invalid keys instead of a 404.
        .route("/object/{bucket}/", object.clone())
        .route("/object/{bucket}/{*key}", object.delete(object::remove::remove))
}

fn purging() -> Router<AppState> {
    Router::new()
        .route("/cdn", delete(purge::everything))
        .route("/cdn/", delete(purge::everything))
        .route("/cdn/{bucket}", delete(purge::bucket))
        .route("/cdn/{bucket}/{*key}", delete(purge::object))
}

async fn no_such_route(request: Request) -> ApiError {
    ApiError::NoSuchRoute(format!("{}:{}", request.method(), request.uri().path()))
}
