//! Checks which requests are served: those from the server's own page, with the token where there is one.
//!
//! Any web page can make a browser send requests to 127.0.0.1, and a name can be made to point there (DNS rebinding). So the `Host` must be one that this server goes by, and
//! an `Origin`, which browsers send with every WebSocket, must be that host. Beyond loopback anybody can connect, so there a token is asked for.

use axum::http::{HeaderMap, StatusCode, header};
use std::net::SocketAddr;

const SEC_FETCH_SITE: header::HeaderName = header::HeaderName::from_static("sec-fetch-site");

/// What is asked of a request.
#[derive(Clone, Debug)]
pub struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

/// Status and message of a refused request.
pub type Refusal = (StatusCode, &'static str);

impl Guard {
    /// For a server at an address; beyond loopback there must be a token.
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        Guard { address, token }
    }

    /// Whether the server goes by that name, and the request comes from its own page.
    pub fn origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: header::HeaderName| headers.get(name).and_then(|v| v.to_str().ok());
        let host = text(header::HOST).unwrap_or("");
        if self.address.ip().is_loopback() && !self.is_own(host) {
            return Err((StatusCode::FORBIDDEN, "this server is reached by 127.0.0.1 or localhost only\n"));
        }
        // Pictures and the like come without an origin, but browsers say whose page asks for them.
        if text(SEC_FETCH_SITE).is_some_and(|site| site == "cross-site" || site == "same-site") {
            return Err((StatusCode::FORBIDDEN, "only the viewer's own page may connect\n"));
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let from = origin.to_str().ok().and_then(|o| o.strip_prefix("http://").or_else(|| o.strip_prefix("https://")));
        if from.is_some_and(|from| !from.is_empty() && from == host) {
            return Ok(());
        }
        Err((StatusCode::FORBIDDEN, "only the viewer's own page may connect\n"))
    }

    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let listed = names.iter().any(|name| host == format!("{name}:{port}") || (port == 80 && host == *name));
        listed || host == self.address.to_string()
    }

    /// Whether the request has the token, in its query or its header.
    pub fn token(&self, headers: &HeaderMap, query: Option<&str>) -> Result<(), Refusal> {
        let Some(wanted) = &self.token else { return Ok(()) };
        let bearer =
            headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()).and_then(|v| v.strip_prefix("Bearer "));
        let asked = query.unwrap_or("").split('&').find_map(|pair| pair.strip_prefix("token="));
        if [bearer, asked].into_iter().flatten().any(|given| same(given, wanted)) {
            return Ok(());
        }
        Err((StatusCode::UNAUTHORIZED, "this viewer asks for a token: the terminal that started it shows it\n"))
    }

    /// Both.
    pub fn check(&self, headers: &HeaderMap, query: Option<&str>) -> Result<(), Refusal> {
        self.origin(headers)?;
        self.token(headers, query)
    }
}

/// Takes as long for a token that is nearly right as for any other of its length.
fn same(given: &str, wanted: &str) -> bool {
    given.len() == wanted.len() && given.bytes().zip(wanted.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// A token that nobody guesses: 128 random bits in hexadecimal.
pub fn random_token() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| format!("no random numbers for a token: {e}; give one by --token"))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(k, v)| (k.clone(), v.parse().unwrap())).collect()
    }

    #[test]
    fn a_foreign_origin_or_host_is_refused() {
        let guard = Guard::new("127.0.0.1:7780".parse().unwrap(), None);
        let ok = |host, origin: Option<&str>| {
            let mut all = headers(&[(header::HOST, host)]);
            if let Some(origin) = origin {
                all.insert(header::ORIGIN, origin.parse().unwrap());
            }
            guard.check(&all, None).is_ok()
        };
        assert!(ok("127.0.0.1:7780", None) && ok("localhost:7780", Some("http://localhost:7780")));
        assert!(ok("127.0.0.1:7780", Some("http://127.0.0.1:7780")) && ok("[::1]:7780", None));
        assert!(!ok("127.0.0.1:7780", Some("http://evil.example")));
        assert!(!ok("127.0.0.1:7780", Some("null")) && !ok("127.0.0.1:7780", Some("")));
        assert!(!ok("127.0.0.1:7780", Some("http://127.0.0.1:7781")), "another port is another page");
        assert!(!ok("evil.example:7780", None), "a name that points here is no name of ours");
        assert!(!ok("evil.example:7780", Some("http://evil.example:7780")));
        assert!(!ok("127.0.0.1", None));
        let picture = headers(&[(header::HOST, "127.0.0.1:7780"), (SEC_FETCH_SITE, "cross-site")]);
        assert!(guard.check(&picture, None).is_err(), "a picture on another site's page");
        let typed = headers(&[(header::HOST, "127.0.0.1:7780"), (SEC_FETCH_SITE, "none")]);
        assert!(guard.check(&typed, None).is_ok(), "an address that was typed");
        let other = Guard::new("127.0.0.2:7780".parse().unwrap(), None);
        assert!(other.check(&headers(&[(header::HOST, "127.0.0.2:7780")]), None).is_ok(), "the address it listens on");
    }

    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        let guard = Guard::new("0.0.0.0:7780".parse().unwrap(), Some("secret".into()));
        let host = headers(&[(header::HOST, "10.0.0.5:7780")]);
        assert_eq!(guard.check(&host, None).unwrap_err().0, StatusCode::UNAUTHORIZED);
        assert_eq!(guard.check(&host, Some("token=secre")).unwrap_err().0, StatusCode::UNAUTHORIZED);
        assert_eq!(guard.check(&host, Some("token=")).unwrap_err().0, StatusCode::UNAUTHORIZED);
        assert!(guard.check(&host, Some("axis=x&token=secret")).is_ok());
        let bearer = headers(&[(header::HOST, "10.0.0.5:7780"), (header::AUTHORIZATION, "Bearer secret")]);
        assert!(guard.check(&bearer, None).is_ok());
        let foreign = headers(&[(header::HOST, "10.0.0.5:7780"), (header::ORIGIN, "http://evil.example")]);
        assert_eq!(guard.check(&foreign, Some("token=secret")).unwrap_err().0, StatusCode::FORBIDDEN);
    }

    #[test]
    fn tokens_differ() {
        let [a, b] = [random_token().unwrap(), random_token().unwrap()];
        assert!(a != b && a.len() == 32);
    }
}
