//! The thread that starts the processes of all scripts. The kernel ends a process when the thread
//! that started it ends, so no process outlives this thread.

use std::io;
use std::thread;

use compat_subprocess::{Signal, end_with_us};
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

type LaunchRequest = (Box<std::process::Command>, oneshot::Sender<io::Result<Child>>);

/// Starts processes; when it is dropped they end.
pub(super) struct Launcher(mpsc::UnboundedSender<LaunchRequest>);

impl Launcher {
    /// Starts the thread; needs a runtime.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn begin() -> io::Result<Self> {
        let (orders, mut requests) = mpsc::unbounded_channel::<LaunchRequest>();
        let runtime = Handle::current();
        thread::Builder::new().name("functions".to_owned()).spawn(move || {
            let _entered = runtime.enter();
            while let Some((mut command, reply)) = requests.blocking_recv() {
                end_with_us(&mut command, Signal::SIGKILL);
                let mut command = Command::from(*command);
                // If the caller no longer waits, the process is dropped and thereby killed.
                let _ = reply.send(command.kill_on_drop(true).spawn());
            }
        })?;
        Ok(Self(orders))
    }

    /// Starts a program.
    pub async fn start(&self, command: std::process::Command) -> io::Result<Child> {
        let (reply, started) = oneshot::channel();
        let stopped = || io::Error::other("process launcher stopped");
        self.0.send((Box::new(command), reply)).map_err(|_| stopped())?;
        started.await.map_err(|_| stopped())?
    }
}
