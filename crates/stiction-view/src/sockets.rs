//! Accepts connections, with limits against clients that only hold them open: request headers must come in time, and of too many idle sockets the oldest is closed.
//!
//! A socket is idle from its first moment, or from the end of a response, until a whole request has come. WebSockets are not counted: pages have a limit of their own.

use crate::state::locked;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The headers of a request must be there within this time; it is also how long a connection may wait for its next request.
const HEADERS: Duration = Duration::from_secs(10);
/// Most idle sockets: of more, the oldest is closed. A browser keeps six.
const MOST_IDLE: usize = 64;
/// Pause after the system has refused a connection, as it does when no file can be opened any more.
const REFUSED: Duration = Duration::from_millis(50);

/// Idle sockets, the oldest first, each with what closes it.
#[derive(Clone, Default)]
struct IdleSockets(Arc<Mutex<VecDeque<Arc<Notify>>>>);

impl IdleSockets {
    /// A socket is idle from now on. Of too many the oldest is closed.
    fn add(&self, socket: &Arc<Notify>) {
        let mut all = locked(&self.0);
        all.push_back(Arc::clone(socket));
        if all.len() > MOST_IDLE
            && let Some(oldest) = all.pop_front()
        {
            oldest.notify_one();
        }
    }

    /// A socket is no longer idle.
    fn remove(&self, socket: &Arc<Notify>) {
        locked(&self.0).retain(|s| !Arc::ptr_eq(s, socket));
    }
}

/// A response's body; when it has been sent, its socket is idle again.
struct CountedBody {
    inner: Body,
    idle: IdleSockets,
    socket: Arc<Notify>,
}

impl Drop for CountedBody {
    fn drop(&mut self) {
        self.idle.add(&self.socket);
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.get_mut().inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Serves connections; never ends.
pub async fn serve(listener: TcpListener, routes: Router) -> Infallible {
    let idle = IdleSockets::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, routes.clone(), idle.clone()));
            }
            Err(_) => tokio::time::sleep(REFUSED).await,
        }
    }
}

async fn connection(stream: TcpStream, routes: Router, idle: IdleSockets) {
    // Without this a small message waits some 40 ms for the other side's acknowledgement of the last (Nagle's algorithm and delayed acknowledgements).
    let _ = stream.set_nodelay(true);
    let socket = Arc::new(Notify::new());
    idle.add(&socket);
    let service = {
        let (idle, socket, routes) = (idle.clone(), Arc::clone(&socket), TowerToHyperService::new(routes));
        service_fn(move |request: Request<Incoming>| {
            idle.remove(&socket);
            let (idle, socket) = (idle.clone(), Arc::clone(&socket));
            let answer = routes.call(request);
            async move { Ok::<_, Infallible>(answer.await?.map(|inner| Body::new(CountedBody { inner, idle, socket }))) }
        })
    };
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // What goes wrong on a connection ends it, and is nobody else's business.
    tokio::select! {
        _ = served => {}
        () = socket.notified() => {}
    }
    idle.remove(&socket);
}
