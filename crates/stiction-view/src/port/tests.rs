use super::*;
use std::net::Ipv4Addr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time, or they take each other's ports.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn any() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((LOCAL, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Whether a message names this very process, where that can be found out.
fn mine(text: &str) -> bool {
    !cfg!(target_os = "linux") || text.contains(&format!("(process {})", std::process::id()))
}

#[test]
fn a_free_port_is_taken_without_a_word() {
    let _alone = alone();
    let (listener, address) = any();
    drop(listener);
    let (listener, note) = bind(WantedPort::From(address)).unwrap();
    assert_eq!((listener.local_addr().unwrap(), note), (address, None));
    drop(listener);
    let (listener, note) = bind(WantedPort::Exactly(address)).unwrap();
    assert_eq!((listener.local_addr().unwrap(), note), (address, None));
}

#[test]
fn port_zero_is_any() {
    let _alone = alone();
    for wanted in [WantedPort::From(SocketAddr::new(LOCAL, 0)), WantedPort::Exactly(SocketAddr::new(LOCAL, 0))] {
        let (listener, note) = bind(wanted).unwrap();
        assert_ne!(listener.local_addr().unwrap().port(), 0);
        assert_eq!(note, None);
    }
}

#[test]
fn a_taken_port_gives_one_of_the_next_and_names_who_has_it() {
    let _alone = alone();
    let (_taken, address) = any();
    let (listener, note) = bind(WantedPort::From(address)).unwrap();
    let port = listener.local_addr().unwrap().port();
    assert!(port > address.port() && port <= address.port() + NEXT);
    let note = note.unwrap();
    assert!(note.starts_with(&format!("port {} is in use by ", address.port())), "{note}");
    assert!(note.ends_with(&format!(": took {port} instead")) && mine(&note), "{note}");
}

#[test]
fn a_port_taken_for_all_addresses_is_taken() {
    let _alone = alone();
    let taken = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let address = SocketAddr::new(LOCAL, taken.local_addr().unwrap().port());
    let error = bind(WantedPort::Exactly(address)).unwrap_err().to_string();
    assert!(mine(&error), "{error}");
}

#[test]
fn a_port_that_was_asked_for_is_an_error_with_one_that_is_free() {
    let _alone = alone();
    let (_taken, address) = any();
    let error = bind(WantedPort::Exactly(address)).unwrap_err();
    let PortError::InUse { wanted, free, .. } = &error else { panic!("{error}") };
    assert_eq!(*wanted, address);
    let (text, free) = (error.to_string(), free.unwrap());
    assert!(text.starts_with(&format!("stiction view asked for {address}, but it is in use by ")), "{text}");
    assert!(text.ends_with(&format!(": stop that, or use --port {free}, which is free")) && mine(&text), "{text}");
    TcpListener::bind((LOCAL, free)).unwrap();
}

#[test]
fn the_holder_is_found_on_version_6_addresses() {
    let _alone = alone();
    let Ok(taken) = TcpListener::bind(("::1", 0)) else {
        println!("SKIP: there is no ::1 here");
        return;
    };
    let error = bind(WantedPort::Exactly(taken.local_addr().unwrap())).unwrap_err().to_string();
    assert!(mine(&error), "{error}");
}

#[test]
fn an_address_of_another_machine_is_no_port_in_use() {
    let _alone = alone();
    // A block for documentation: nobody has it.
    let address: SocketAddr = "192.0.2.1:7780".parse().unwrap();
    for wanted in [WantedPort::From(address), WantedPort::Exactly(address)] {
        let error = bind(wanted).unwrap_err();
        assert!(matches!(error, PortError::NoSuchAddress { .. }), "{error}");
        let text = "stiction view asked for 192.0.2.1:7780, but this machine has no address 192.0.2.1: use 127.0.0.1, which is the \
                    machine itself";
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn the_last_port_has_no_next() {
    let _alone = alone();
    let address = SocketAddr::new(LOCAL, u16::MAX);
    let taken = TcpListener::bind(address);
    let error = bind(WantedPort::From(address)).unwrap_err();
    assert!(matches!(error, PortError::NoneFree { last: u16::MAX, .. }), "{error}");
    drop(taken);
}

#[test]
fn messages_say_what_to_do() {
    let wanted: SocketAddr = "127.0.0.1:80".parse().unwrap();
    let text = PortError::Denied { wanted }.to_string();
    assert_eq!(
        text,
        "stiction view may not use 127.0.0.1:80: ports below 1024 are for administrators; use a higher --port"
    );
    let wanted: SocketAddr = "127.0.0.1:7780".parse().unwrap();
    let holder = Some(Holder { name: "python3".into(), process: 1234 });
    let text = PortError::InUse { wanted, holder, free: Some(7781) }.to_string();
    let should = "stiction view asked for 127.0.0.1:7780, but it is in use by \"python3\" (process 1234): stop that, or use --port 7781, \
                  which is free";
    assert_eq!(text, should);
    let text = PortError::InUse { wanted, holder: None, free: None }.to_string();
    let should =
        "stiction view asked for 127.0.0.1:7780, but it is in use by another program: stop that, or use another --port";
    assert_eq!(text, should);
    let text = PortError::NoneFree { first: wanted, last: 7800, holder: None }.to_string();
    let should = "stiction view found no free port: 7780 to 7800 of 127.0.0.1 are in use, 7780 by another program: use --port with \
                  another";
    assert_eq!(text, should);
}
