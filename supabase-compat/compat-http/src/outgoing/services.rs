//! Looks up the host and port of a name's service in SRV records.

use std::net::SocketAddr;
use std::time::Duration;

use domain::base::{Name, RelativeName};
use domain::resolv::StubResolver;
use domain::resolv::stub::conf::{ResolvConf, ServerConf, Transport};

/// How long to wait for a record: it is queried for every name, and most names have none.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The port that stands for a missing record; no record has it.
const NONE: u16 = 0;

/// The resolver of SRV records.
pub(super) struct ServiceRecords(StubResolver);

impl ServiceRecords {
    /// A resolver that queries these servers, or the system's if there are none.
    pub fn new(servers: Vec<SocketAddr>) -> Self {
        if servers.is_empty() {
            return Self(StubResolver::new());
        }
        let mut conf = ResolvConf::new();
        let udp = |at| ServerConf::new(at, Transport::UdpTcp);
        conf.servers = servers.into_iter().map(udp).collect();
        Self(StubResolver::from_conf(conf))
    }

    /// The host and port of a service, such as `_sip._tcp`.
    pub async fn find(&self, service: &str, name: &str) -> Option<(String, u16)> {
        let service: RelativeName<Vec<u8>> = service.parse().ok()?;
        let name: Name<Vec<u8>> = name.parse().ok()?;
        let answer = self.0.lookup_srv(service, name, NONE);
        let records = tokio::time::timeout(TIMEOUT, answer).await.ok()?.ok()??;
        let record = records.into_srvs().next().filter(|record| record.port() != NONE)?;
        Some((record.target().to_string(), record.port()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use domain::base::iana::Rcode;
    use domain::base::{Message, MessageBuilder, Rtype};
    use domain::rdata::Srv;
    use tokio::net::UdpSocket;

    use super::*;

    type Records = Vec<(u16, u16, &'static str)>;

    /// A server that has these records (priority, port, target) of one name, and none of others.
    async fn serving(owner: &'static str, records: Records) -> SocketAddr {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
        let at = socket.local_addr().expect("an address");
        tokio::spawn(async move {
            let mut packet = [0; 512];
            while let Ok((length, from)) = socket.recv_from(&mut packet).await {
                let query = Message::from_octets(&packet[..length]).expect("a message");
                let question = query.sole_question().expect("a question");
                assert_eq!(question.qtype(), Rtype::SRV);
                let is_known = question.qname().to_string() == owner;
                let rcode = if is_known { Rcode::NOERROR } else { Rcode::NXDOMAIN };
                let mut answer =
                    MessageBuilder::new_vec().start_answer(&query, rcode).expect("an answer");
                for (priority, port, target) in records.iter().filter(|_| is_known) {
                    let target: Name<Vec<u8>> = target.parse().expect("a name");
                    let record = Srv::new(*priority, 0, *port, target);
                    answer.push((question.qname(), 60, record)).expect("room");
                }
                let _ = socket.send_to(&answer.finish(), from).await;
            }
        });
        at
    }

    async fn place_of(records: Records, name: &str) -> Option<(String, u16)> {
        let at = serving("_x._tcp.a.example", records).await;
        ServiceRecords::new(vec![at]).find("_x._tcp", name).await
    }

    #[tokio::test]
    async fn a_service_is_where_its_best_record_says() {
        let records = vec![(20, 1000, "late.example"), (10, 2000, "first.example")];
        let place = place_of(records, "a.example").await;
        assert_eq!(place, Some(("first.example".to_owned(), 2000)));
    }

    #[tokio::test]
    async fn a_name_without_a_record_has_no_service() {
        assert_eq!(place_of(vec![(0, 1000, "b.example")], "other.example").await, None);
        assert_eq!(place_of(Vec::new(), "a.example").await, None);
        assert_eq!(place_of(vec![(0, 0, ".")], "a.example").await, None, "decidedly not there");
    }

    #[tokio::test]
    async fn silent_name_server_costs_one_second() {
        let silent = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
        let at = silent.local_addr().expect("an address");
        let start = Instant::now();
        assert_eq!(ServiceRecords::new(vec![at]).find("_x._tcp", "a.example").await, None);
        assert!(start.elapsed() < TIMEOUT * 2, "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn malformed_names_are_not_looked_up() {
        let services = ServiceRecords::new(vec![SocketAddr::from(([127, 0, 0, 1], 1))]);
        for name in ["", "a..b", &"a.".repeat(200), &"b".repeat(70)] {
            assert_eq!(services.find("_x._tcp", name).await, None, "{name}");
        }
    }
}
