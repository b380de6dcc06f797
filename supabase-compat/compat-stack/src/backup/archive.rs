//! Writes a tar file with entries whose length is not known in advance.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The block size of the tar format.
const BLOCK: u64 = 512;

/// The longest name that a header can hold.
const LONGEST_NAME: usize = 99;

/// An archive that is being written.
pub(super) struct Writer {
    file: File,
}

impl Writer {
    pub fn new(file: File) -> Self {
        Self { file }
    }

    /// Adds an entry. Its header is filled in once the length is known.
    pub fn add(&mut self, name: &str, from: &mut impl Read) -> io::Result<()> {
        if name.len() > LONGEST_NAME {
            self.add_name(name)?;
        }
        let start = self.file.stream_position()?;
        self.zeros(BLOCK)?;
        let size = io::copy(from, &mut self.file)?;
        self.zeros(size.next_multiple_of(BLOCK) - size)?;
        let mut header = tar::Header::new_gnu();
        header.set_path(&name[..name.floor_char_boundary(LONGEST_NAME)])?;
        header.set_size(size);
        header.set_mode(0o600);
        header.set_cksum();
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(header.as_bytes())?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// Adds a long-name entry for the entry that follows.
    fn add_name(&mut self, name: &str) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_path("././@LongLink")?;
        header.set_entry_type(tar::EntryType::GNULongName);
        let size = name.len() as u64 + 1;
        header.set_size(size);
        header.set_mode(0o600);
        header.set_cksum();
        self.file.write_all(header.as_bytes())?;
        self.file.write_all(name.as_bytes())?;
        self.zeros(1 + size.next_multiple_of(BLOCK) - size)
    }

    /// Ends the archive with two empty blocks and syncs the file to disk.
    pub fn finish(mut self) -> io::Result<()> {
        self.zeros(2 * BLOCK)?;
        self.file.sync_all()
    }

    fn zeros(&mut self, many: u64) -> io::Result<()> {
        io::copy(&mut io::repeat(0).take(many), &mut self.file).map(drop)
    }
}
