//! Faults between creating the account and verifying its role, or while both are being created. They affect
//! the real services, not mocks.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{self, Next};
use futures::future::BoxFuture;
use test_support::client::Answer;
use test_support::waiting::eventually;

use crate::stack::{PASSWORD, Stack, email, listen, new_admin, refused};

type Fault = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// Calls create-admin with an auth service that runs `fault` after creating the account, before it responds.
async fn create_admin_with(stack: &Stack, superadmin: &str, fault: Fault) -> Answer {
    let fault = Arc::new(fault);
    let broken = middleware::from_fn(move |request: Request, next: Next| {
        let fault = fault.clone();
        async move {
            let makes = request.method() == Method::POST && request.uri().path() == "/admin/users";
            let answer = next.run(request).await;
            if makes {
                assert!(answer.status().is_success());
                fault().await;
            }
            answer
        }
    });
    let auth = listen(stack.auth_service.clone().layer(broken)).await;
    let functions = stack.functions_with("AUTH_URL", auth).await;
    functions.with_token(superadmin).post_json("/create-admin", &new_admin()).await
}

#[tokio::test]
async fn survives_a_dying_gateway() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let gateway = stack.gateway.clone();
    let fault: Fault = Box::new(move || {
        let gateway = gateway.clone();
        Box::pin(async move { gateway.stop().await })
    });

    refused(&create_admin_with(&stack, &superadmin, fault).await, 503);

    assert_eq!(stack.accounts().await, 1);
    assert_eq!(stack.try_sign_in(&email("new"), PASSWORD).await.status, 400);
}

#[tokio::test]
async fn survives_losing_the_select_privilege() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let rows = stack.rows.clone();
    let fault: Fault = Box::new(move || {
        let rows = rows.clone();
        Box::pin(async move {
            sqlx::raw_sql("revoke select on public.user_roles from service_role")
                .execute(&rows)
                .await
                .unwrap();
        })
    });

    refused(&create_admin_with(&stack, &superadmin, fault).await, 503);

    assert_eq!(stack.accounts().await, 1);
    stack.run("grant select on public.user_roles to service_role").await;
    assert_eq!(stack.create_admin(&superadmin, new_admin()).await.status, 200);
}

#[tokio::test]
async fn survives_losing_the_insert_policy() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let closed = "alter policy \"the owner of the schema does all\" on app.user_roles with check (false)";
    stack.run(closed).await;

    refused(&stack.create_admin(&superadmin, new_admin()).await, 500);

    assert_eq!(stack.accounts().await, 1);
    assert_eq!(stack.try_sign_in(&email("new"), PASSWORD).await.status, 400);
}

/// By then PostgreSQL has committed an account with its role, never one without.
#[tokio::test]
async fn survives_losing_the_database_after_the_commit() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let outside = outside(&stack).await;
    let name = stack.database.name.clone();
    let away = outside.clone();
    let fault: Fault = Box::new(move || {
        let (away, name) = (away.clone(), name.clone());
        Box::pin(async move { close(&away, &name).await })
    });

    let answer = create_admin_with(&stack, &superadmin, fault).await;

    refused(&answer, 503);
    open(&outside, &stack.database.name).await;
    let without_role: i64 = sqlx::query_scalar(
        "select count(*) from auth.users where not exists (select from app.user_roles where user_id = users.id)",
    )
    .fetch_one(&stack.rows)
    .await
    .unwrap();
    assert_eq!(without_role, 0);
}

#[tokio::test]
async fn survives_losing_the_database_between_account_and_role() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let outside = outside(&stack).await;
    // The transaction waits after inserting the account and before inserting its role.
    stack
        .run(
            "create function app.wait() returns trigger language plpgsql as
               'begin perform pg_catalog.pg_sleep(30); return new; end';
             create trigger wait before insert on app.user_roles for each row execute function app.wait()",
        )
        .await;

    let (answer, ()) = tokio::join!(stack.create_admin(&superadmin, new_admin()), async {
        let waits = "select count(*) from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'";
        eventually("the request waits", async || {
            sqlx::query_scalar::<_, i64>(waits).bind(&stack.database.name).fetch_one(&outside).await.unwrap()
                > 0
        })
        .await;
        close(&outside, &stack.database.name).await;
    });

    refused(&answer, 503);
    open(&outside, &stack.database.name).await;
    assert_eq!(stack.accounts().await, 1);
}

/// A superuser's pool, in another database.
async fn outside(stack: &Stack) -> sqlx::PgPool {
    sqlx::PgPool::connect_with(stack.database.owner().database("postgres")).await.unwrap()
}

/// Blocks new connections and terminates existing ones, which looks like a stopped server to the services.
async fn close(outside: &sqlx::PgPool, name: &str) {
    let shut = format!("alter database \"{name}\" allow_connections false");
    sqlx::raw_sql(sqlx::AssertSqlSafe(shut)).execute(outside).await.unwrap();
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1")
        .bind(name)
        .execute(outside)
        .await
        .unwrap();
}

async fn open(outside: &sqlx::PgPool, name: &str) {
    let open = format!("alter database \"{name}\" allow_connections true");
    sqlx::raw_sql(sqlx::AssertSqlSafe(open)).execute(outside).await.unwrap();
}
