//! Ends a child program when our process ends.

use std::process::Command;

use nix::sys::signal::Signal;

/// Asks the kernel to send `signal` to the program when the thread that spawns it ends. Linux ties
/// this to the thread and not to the process, so the thread must live as long as our process.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "pre_exec is unsafe; prctl and getppid are async-signal-safe")]
pub fn end_with_us(command: &mut Command, signal: Signal) {
    use std::os::unix::process::CommandExt;

    let us = nix::unistd::Pid::this();
    let ask = move || {
        nix::sys::prctl::set_pdeathsig(signal)?;
        // If our process ended before the call above, the kernel never sends the signal.
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

/// Does nothing: only Linux can do this.
#[cfg(not(target_os = "linux"))]
pub fn end_with_us(_: &mut Command, _: Signal) {}
