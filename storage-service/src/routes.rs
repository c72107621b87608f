//! The routes: one file per endpoint.

mod bucket;
mod coerced;
mod download;
mod find;
mod json_body;
mod object;
mod object_target;
mod purge;
mod render;

use axum::Router;
use axum::extract::Request;
use axum::routing::{delete, get, post};

use crate::error::ApiError;
use crate::state::AppState;

pub fn router(state: AppState) -> Router {
    Router::new()
        .merge(buckets())
        .merge(reading())
        .merge(writing())
        .merge(rendering())
        .route("/status", get(async || "ok"))
        .route("/statusz", get(async || "ok"))
        .route("/version", get(async || platform::version::version()))
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_route)
        .with_state(state)
}

fn buckets() -> Router<AppState> {
    Router::new()
        .route("/bucket", post(bucket::create::create).get(bucket::list::list))
        .route(
            "/bucket/{bucket}",
            get(bucket::get::get).put(bucket::update::update).delete(bucket::delete::delete),
        )
        .route("/bucket/{bucket}/empty", post(bucket::empty::empty))
}

fn reading() -> Router<AppState> {
    Router::new()
        .route("/object/public/{bucket}/{*key}", get(object::get_public::get_public))
        .route("/object/authenticated/{bucket}/{*key}", get(object::get_authenticated::get_authenticated))
        // HEAD has the headers of the object itself.
        .route("/object/info/{bucket}/{*key}", get(object::info::either).head(object::get::get))
        .route(
            "/object/info/public/{bucket}/{*key}",
            get(object::info::public).head(object::get_public::get_public),
        )
        .route(
            "/object/info/authenticated/{bucket}/{*key}",
            get(object::info::authenticated).head(object::get_authenticated::get_authenticated),
        )
        .route("/object/list/{bucket}", post(object::list::list))
        .route("/object/list-v2/{bucket}", post(object::list_v2::list_v2))
        .route("/object/sign/{bucket}", post(object::sign_many::sign_many))
        .route("/object/sign/{bucket}/{*key}", get(object::get_signed::get_signed).post(object::sign::sign))
}

fn writing() -> Router<AppState> {
    let object = post(object::upload::create).put(object::upload::replace);
    let signed = post(object::sign_upload::sign_upload).put(object::upload_signed::upload_signed);
    Router::new()
        .route("/object/move", post(object::r#move::move_object))
        .route("/object/copy", post(object::copy::copy))
        .route("/object/upload/sign/{bucket}/{*key}", signed)
        .route("/object/{bucket}", delete(object::remove_many::remove_many))
        // An empty key gets the error for invalid keys instead of a 404.
        .route("/object/{bucket}/", object.clone())
        .route("/object/{bucket}/{*key}", object.get(object::get::get).delete(object::remove::remove))
}

fn rendering() -> Router<AppState> {
    Router::new()
        .route("/render/image/public/{bucket}/{*key}", get(render::public))
        .route("/render/image/authenticated/{bucket}/{*key}", get(render::authenticated))
        .route("/render/image/sign/{bucket}/{*key}", get(render::signed))
        .route("/cdn", delete(purge::everything))
        .route("/cdn/", delete(purge::everything))
        .route("/cdn/{bucket}", delete(purge::bucket))
        .route("/cdn/{bucket}/{*key}", delete(purge::object))
}

async fn no_such_route(request: Request) -> ApiError {
    ApiError::NoSuchRoute(format!("{}:{}", request.method(), request.uri().path()))
}
