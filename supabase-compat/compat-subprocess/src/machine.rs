//! Reads from a program file for which kind of machine it was built, because the system's error
//! says only that it cannot run the program.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The first bytes of a Linux program, and the offsets in its header (the ELF specification,
/// `e_ident` and `e_machine`).
const MAGIC: &[u8] = b"\x7fELF";
const LITTLE_ENDIAN: u8 = 1;
const DATA: usize = 5;
const MACHINE: usize = 18;
const HEAD: usize = 20;

/// Numbers of machines, and their names as [`std::env::consts::ARCH`] has them.
const MACHINES: [(u16, &str); 7] = [
    (3, "x86"),
    (22, "s390x"),
    (21, "powerpc64"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
];

/// The machine that a program was built for, if it differs from this one.
pub fn foreign_machine(program: &Path) -> Option<&'static str> {
    let mut head = [0; HEAD];
    File::open(program).ok()?.read_exact(&mut head).ok()?;
    machine_of(&head).filter(|machine| *machine != std::env::consts::ARCH)
}

fn machine_of(head: &[u8; HEAD]) -> Option<&'static str> {
    let bytes = head.starts_with(MAGIC).then_some([head[MACHINE], head[MACHINE + 1]])?;
    let number = match head[DATA] {
        LITTLE_ENDIAN => u16::from_le_bytes(bytes),
        _ => u16::from_be_bytes(bytes),
    };
    MACHINES.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(data: u8, machine: [u8; 2]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..MAGIC.len()].copy_from_slice(MAGIC);
        head[DATA] = data;
        head[MACHINE..].copy_from_slice(&machine);
        head
    }

    #[test]
    fn machine_is_read_in_either_byte_order() {
        assert_eq!(machine_of(&head(1, [183, 0])), Some("aarch64"));
        assert_eq!(machine_of(&head(2, [0, 22])), Some("s390x"));
        assert_eq!(machine_of(&[0; HEAD]), None);
        assert_eq!(machine_of(&head(1, [255, 255])), None);
    }

    #[test]
    fn programs_of_this_machine_are_not_foreign() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(foreign_machine(&own), None);
        assert_eq!(foreign_machine(Path::new("/nowhere")), None);
    }
}
