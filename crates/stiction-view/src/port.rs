//! The server's port: the wanted one, or the next free one, and the program that uses it if it is taken.

mod holder;

pub use holder::Holder;

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};

/// How many ports after the wanted one are tried.
const NEXT: u16 = 20;

/// The address that the user asks for. Port 0 is any free port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedPort {
    /// This one, as the user asked for it.
    Exactly(SocketAddr),
    /// This one or, where it is in use, one of the next.
    From(SocketAddr),
}

/// Errors from binding the server's port.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// The one that was asked for is in use.
    #[error("stiction view asked for {wanted}, but it is in use by {}: stop that, or use {}", who(holder), other(*free))]
    InUse {
        /// The address and port.
        wanted: SocketAddr,
        /// The program that uses it; `None` if it cannot be found out.
        holder: Option<Holder>,
        /// One of the next that is free.
        free: Option<u16>,
    },
    /// All that were tried are in use.
    #[error(
        "stiction view found no free port: {} to {last} of {} are in use, {} by {}: use --port with another",
        first.port(), first.ip(), first.port(), who(holder)
    )]
    NoneFree {
        /// The first that was tried.
        first: SocketAddr,
        /// The last that was tried.
        last: u16,
        /// The program that uses the first one; `None` if it cannot be found out.
        holder: Option<Holder>,
    },
    /// The system does not let this user have it.
    #[error("stiction view may not use {wanted}: {}", denied(*wanted))]
    Denied {
        /// The address and port.
        wanted: SocketAddr,
    },
    /// The address is not one of this machine.
    #[error(
        "stiction view asked for {wanted}, but this machine has no address {0}: use {local}, which is the machine itself",
        wanted.ip(), local = local(wanted.ip())
    )]
    NoSuchAddress {
        /// The address and port.
        wanted: SocketAddr,
    },
    /// Any other error of the system.
    #[error("stiction view cannot listen on {wanted}: {cause}")]
    Other {
        /// The address and port.
        wanted: SocketAddr,
        /// What the system says.
        cause: std::io::Error,
    },
}

fn who(holder: &Option<Holder>) -> String {
    holder.as_ref().map_or_else(|| "another program".into(), Holder::to_string)
}

fn other(free: Option<u16>) -> String {
    free.map_or_else(|| "another --port".into(), |port| format!("--port {port}, which is free"))
}

fn denied(wanted: SocketAddr) -> &'static str {
    if wanted.port() < 1024 {
        "ports below 1024 are for administrators; use a higher --port"
    } else {
        "the system does not allow it; use another --port"
    }
}

fn local(like: IpAddr) -> &'static str {
    if like.is_ipv4() { "127.0.0.1" } else { "::1" }
}

/// A listener as wanted, and a line for the user where it is on another port than the wanted one.
///
/// # Errors
/// [`PortError`], in words that tell the user what to do.
pub fn bind(wanted: WantedPort) -> Result<(TcpListener, Option<String>), PortError> {
    let (first, exactly) = match wanted {
        WantedPort::Exactly(address) => (address, true),
        WantedPort::From(address) => (address, false),
    };
    let cause = match TcpListener::bind(first) {
        Ok(listener) => return Ok((listener, None)),
        Err(cause) => cause,
    };
    match cause.kind() {
        ErrorKind::AddrInUse if first.port() != 0 => {}
        ErrorKind::PermissionDenied => return Err(PortError::Denied { wanted: first }),
        ErrorKind::AddrNotAvailable => return Err(PortError::NoSuchAddress { wanted: first }),
        _ => return Err(PortError::Other { wanted: first, cause }),
    }
    let holder = Holder::of(first);
    let last = first.port().saturating_add(NEXT);
    let next = (first.port()..=last).skip(1);
    let free =
        next.filter_map(|port| TcpListener::bind(SocketAddr::new(first.ip(), port)).ok().map(|l| (l, port))).next();
    match free {
        free if exactly => Err(PortError::InUse { wanted: first, holder, free: free.map(|(_, port)| port) }),
        None => Err(PortError::NoneFree { first, last, holder }),
        Some((listener, port)) => {
            let note = format!("port {} is in use by {}: took {port} instead", first.port(), who(&holder));
            Ok((listener, Some(note)))
        }
    }
}

#[cfg(test)]
mod tests;
