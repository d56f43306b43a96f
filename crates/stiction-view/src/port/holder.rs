//! Finds the process that uses a port. On Linux `/proc/net/tcp` lists the inode of its socket, and the process that has this inode open uses the port. Elsewhere,
//! and for processes of other users, it stays unknown.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

/// A process that uses a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Name of the process, as it reports it.
    pub name: String,
    /// Process id.
    pub process: u32,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "\"{}\" (process {})", self.name, self.process)
    }
}

impl Holder {
    /// The process whose socket is in the way of listening on an address.
    pub fn of(address: SocketAddr) -> Option<Holder> {
        let tables =
            ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| std::fs::read_to_string(table).unwrap_or_default());
        let mut sockets: Vec<Socket> = tables.iter().flat_map(|t| t.lines().filter_map(Socket::parse)).collect();
        sockets
            .retain(|s| s.inode != 0 && s.address.port() == address.port() && in_the_way(s.address.ip(), address.ip()));
        // Those that listen first: connections from this port may be in the way too, but seldom are.
        sockets.sort_by_key(|s| !s.listens);
        sockets.iter().find_map(|s| process_with(s.inode))
    }
}

/// Whether a socket on one address keeps another from listening on the other: they are the same, or one of them stands for all.
fn in_the_way(taken: IpAddr, wanted: IpAddr) -> bool {
    let (taken, wanted) = (taken.to_canonical(), wanted.to_canonical());
    taken == wanted || taken.is_unspecified() || wanted.is_unspecified()
}

/// A line of `/proc/net/tcp` or `tcp6`.
#[derive(Debug, PartialEq, Eq)]
struct Socket {
    address: SocketAddr,
    listens: bool,
    inode: u64,
}

impl Socket {
    /// `sl local_address rem_address st queues timer retransmits uid timeout inode …`; `None` for the heading.
    fn parse(line: &str) -> Option<Socket> {
        let mut words = line.split_whitespace().skip(1);
        let (address, port) = words.next()?.split_once(':')?;
        let ip = match address.len() {
            8 => Ipv4Addr::from(word(address)?).into(),
            32 => {
                let mut bytes = [0; 16];
                for (i, four) in bytes.chunks_exact_mut(4).enumerate() {
                    four.copy_from_slice(&word(address.get(8 * i..8 * i + 8)?)?);
                }
                Ipv6Addr::from(bytes).into()
            }
            _ => return None,
        };
        let port = u16::from_str_radix(port, 16).ok()?;
        let listens = words.nth(1)? == "0A";
        Some(Socket { address: SocketAddr::new(ip, port), listens, inode: words.nth(5)?.parse().ok()? })
    }
}

/// Four bytes of an address, which the kernel prints as a number of the machine's own byte order.
fn word(hex: &str) -> Option<[u8; 4]> {
    u32::from_str_radix(hex, 16).ok().map(u32::to_ne_bytes)
}

/// The first process with this socket open, as far as this user may look.
fn process_with(inode: u64) -> Option<Holder> {
    let socket = format!("socket:[{inode}]");
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let mut numbers: Vec<u32> = processes.filter_map(|p| p.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    let process = numbers.into_iter().find(|p| {
        let open = std::fs::read_dir(format!("/proc/{p}/fd")).into_iter().flatten().flatten();
        open.filter_map(|fd| std::fs::read_link(fd.path()).ok()).any(|to| to == Path::new(&socket))
    })?;
    let name = std::fs::read(format!("/proc/{process}/comm")).ok()?;
    let name = String::from_utf8_lossy(&name).trim_end().replace(|c: char| c.is_control() || c == '"', " ");
    Some(Holder { name, process })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_kernel_are_read() {
        let heading =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
        assert_eq!(Socket::parse(heading), None);
        assert_eq!(Socket::parse(""), None);
        assert_eq!(Socket::parse("0: 0100007F:1E64"), None);
        if cfg!(target_endian = "big") {
            return;
        }
        let line = "   0: 0100007F:1E64 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41523 1 0 100 0 0 10 0";
        let socket = Socket { address: "127.0.0.1:7780".parse().unwrap(), listens: true, inode: 41523 };
        assert_eq!(Socket::parse(line), Some(socket));
        let line =
            "   1: 00000000000000000000000001000000:1E64 00000000000000000000000000000000:0000 01 0:0 0:0 0 0 0 7 1 0";
        let socket = Socket { address: "[::1]:7780".parse().unwrap(), listens: false, inode: 7 };
        assert_eq!(Socket::parse(line), Some(socket));
    }

    #[test]
    fn an_address_is_taken_by_itself_and_by_those_for_all() {
        let taken = |a: &str, b: &str| in_the_way(a.parse().unwrap(), b.parse().unwrap());
        assert!(taken("127.0.0.1", "127.0.0.1"));
        assert!(taken("0.0.0.0", "127.0.0.1"));
        assert!(taken("::", "127.0.0.1"));
        assert!(taken("::ffff:127.0.0.1", "127.0.0.1"));
        assert!(taken("127.0.0.1", "0.0.0.0"));
        assert!(!taken("127.0.0.2", "127.0.0.1"));
        assert!(!taken("::1", "127.0.0.1"));
    }
}
