//! Spans: a request, and the waits for the database in it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hyper::{HeaderMap, Method, StatusCode};

use super::EXPORTER;
use super::context::Context;
use super::export::Span;
use crate::method_name::method_name;

/// A request that is being answered. It is recorded when it has been answered or canceled.
#[derive(Clone)]
pub struct RequestSpan(Arc<Active>);

struct Active {
    context: Context,
    parent: Option<u64>,
    began: SystemTime,
    method: &'static str,
    id: Arc<str>,
    answer: Mutex<Answer>,
}

#[derive(Default)]
struct Answer {
    service: Option<&'static str>,
    route: Option<String>,
    status: Option<StatusCode>,
}

impl RequestSpan {
    /// `None` when no traces are sent.
    pub fn begin(method: &Method, headers: &HeaderMap, id: &Arc<str>) -> Option<Self> {
        let exporter = EXPORTER.get()?;
        let caller = Context::of(headers);
        let context = Context {
            trace: caller.map_or_else(|| rand::random::<u128>().max(1), |caller| caller.trace),
            span: rand::random::<u64>().max(1),
            sampled: caller.map_or_else(|| rand::random::<f64>() < exporter.ratio, |caller| caller.sampled),
        };
        Some(Self(Arc::new(Active {
            context,
            parent: caller.map(|caller| caller.span),
            began: SystemTime::now(),
            method: method_name(method),
            id: Arc::clone(id),
            answer: Mutex::default(),
        })))
    }

    /// Names the span by the service and the template of the route.
    pub fn matched(&self, service: &'static str, route: &str) {
        let mut answer = self.0.answer.lock().unwrap_or_else(PoisonError::into_inner);
        (answer.service, answer.route) = (Some(service), Some(route.to_owned()));
    }

    pub fn answered(&self, status: StatusCode) {
        self.0.answer.lock().unwrap_or_else(PoisonError::into_inner).status = Some(status);
    }

    /// Records a wait for the database that ends now.
    pub fn waited(&self, time: Duration) {
        let Some(exporter) = EXPORTER.get().filter(|_| self.0.context.sampled) else { return };
        let ended = SystemTime::now();
        let context = Context { span: rand::random::<u64>().max(1), ..self.0.context };
        exporter.record(Span {
            context,
            parent: Some(self.0.context.span),
            name: "postgresql".to_owned(),
            is_server: false,
            began: ended.checked_sub(time).unwrap_or(ended),
            ended,
            failed: false,
            attributes: vec![("db.system.name", "postgresql".to_owned())],
        });
    }

    /// The value of `traceparent` for an outgoing request.
    pub fn traceparent(&self) -> String {
        self.0.context.to_string()
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        let Some(exporter) = EXPORTER.get().filter(|_| self.context.sampled) else { return };
        let answer = std::mem::take(self.answer.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut attributes =
            vec![("http.request.method", self.method.to_owned()), ("serasi.request_id", self.id.to_string())];
        attributes.extend(answer.service.map(|service| ("serasi.service", service.to_owned())));
        attributes
            .extend(answer.status.map(|status| ("http.response.status_code", status.as_str().to_owned())));
        let route = answer.route.map(|route| format!("{}{route}", prefix(answer.service)));
        attributes.extend(route.clone().map(|route| ("http.route", route)));
        exporter.record(Span {
            context: self.context,
            parent: self.parent,
            name: route.map_or_else(|| self.method.to_owned(), |route| format!("{} {route}", self.method)),
            is_server: true,
            began: self.began,
            ended: SystemTime::now(),
            // Without a status, the client disconnected.
            failed: answer.status.is_none_or(|status| status.is_server_error()),
            attributes,
        });
    }
}

/// The gateway names classes of requests, such as `read`, because its tables are data.
fn prefix(service: Option<&str>) -> &'static str {
    match service {
        Some("gateway") => "rest/",
        _ => "",
    }
}
