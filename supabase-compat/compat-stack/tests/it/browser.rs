//! A browser with a session of a stack's console.

use axum::Router;
use axum::body::Body;
use compat_testkit::{TestResponse, call};
use http::{Method, Request};
use serde_json::{Value, json};

pub const PASSWORD: &str = "correct horse battery";

/// A browser and its session cookie.
pub struct Browser<'a> {
    pub router: &'a Router,
    pub cookie: String,
}

impl<'a> Browser<'a> {
    /// Creates an operator's account with the token of a setup link.
    pub async fn by_link(router: &'a Router, token: &str, email: &str) -> Self {
        let mut browser = Self { router, cookie: String::new() };
        let body = json!({"token": token, "email": email, "password": PASSWORD});
        browser.keep_cookie("/setup", body).await;
        browser
    }

    /// Signs in with [`PASSWORD`].
    pub async fn sign_in(&mut self, email: &str) {
        self.keep_cookie("/session", json!({"email": email, "password": PASSWORD})).await;
    }

    async fn keep_cookie(&mut self, path: &str, body: Value) {
        let answer = self.send(Method::POST, path, Some(body), &[]).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        self.cookie = answer.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        headers: &[(&'static str, &str)],
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/console/api{path}"))
            .header("host", "localhost:8000")
            .header("x-console-request", "1")
            .header("content-type", "application/json")
            .header("cookie", &self.cookie);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map_or(Body::empty(), |body| Body::from(body.to_string()));
        call(self.router, request.body(body).expect("a request")).await
    }
}
