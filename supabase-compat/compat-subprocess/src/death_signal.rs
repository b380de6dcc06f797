//! What ties a program's life to ours.

use std::process::Command;

use nix::sys::signal::Signal;

/// Asks the kernel to send `signal` to the program when the thread that spawns it is gone. On Linux
/// that is a thread's end, not the process's, so the thread has to live as long as we do.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "pre_exec is unsafe; prctl and getppid are async-signal-safe")]
pub fn end_with_us(command: &mut Command, signal: Signal) {
    use std::os::unix::process::CommandExt;

    let us = nix::unistd::Pid::this();
    let ask = move || {
        nix::sys::prctl::set_pdeathsig(signal)?;
        // Had we died before the line above, nobody would ever be told.
        if nix::unistd::Pid::parent() == us {
            Ok(())
        } else {
            Err(std::io::ErrorKind::NotConnected.into())
        }
    };
    // SAFETY: the closure calls two system calls and allocates nothing.
    unsafe {
        command.pre_exec(ask);
    }
}

/// Elsewhere nobody can be asked.
#[cfg(not(target_os = "linux"))]
pub fn end_with_us(_: &mut Command, _: Signal) {}
