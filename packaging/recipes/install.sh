#!/bin/sh
# Installs @program@ @version@ for whoever runs it: fetches the archive of this machine, compares its
# SHA-256 with the one below, and puts the program into ~/.local/bin.
#
#   INSTALL_DIR     another folder for the program
#   DOWNLOADS       another address of the archives
set -eu

refuse() {
  echo "install @program@: $1" >&2
  exit 1
}

# The archive and its SHA-256 for each kind of machine, as `uname` names it.
archive_of() {
  case $1 in
@machines@
  *) refuse "there is no program for $1, only for @names@; build it from source" ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    refuse "neither sha256sum nor shasum is here, so the download cannot be checked; install coreutils"
  fi
}

fetch() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 2 --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --quiet --output-document "$2" "$1"
  else
    refuse "neither curl nor wget is here; install one of them"
  fi
}

# Everything is in a function, so that a partly downloaded script does nothing.
install_program() {
  machine=$(uname -s)-$(uname -m)
  archive_of "$machine"
  if [ "$(uname -s)" = Linux ]; then
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2) || libc=
    [ -n "$libc" ] || refuse "this system has no glibc (Alpine has musl), which the program needs; build it from source"
    oldest=$(printf '%s\n' "@glibc@" "$libc" | sort -t . -k 1,1n -k 2,2n | head -n 1)
    [ "$oldest" = "@glibc@" ] || refuse "it needs glibc @glibc@ and this system has $libc; use a newer system, or build it from source"
  fi
  folder=${INSTALL_DIR:-${HOME:?}/.local/bin}
  mkdir -p "$folder" || refuse "$folder cannot be made; name another folder in INSTALL_DIR"
  [ -w "$folder" ] || refuse "$folder cannot be written to; name another folder in INSTALL_DIR"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  fetch "${DOWNLOADS:-@downloads@}/$archive" "$scratch/archive" || refuse "${DOWNLOADS:-@downloads@}/$archive cannot be fetched; see that this machine reaches it"
  found=$(sum_of "$scratch/archive")
  [ "$found" = "$sum" ] || refuse "the download has the SHA-256 $found instead of $sum; nothing was installed"
  tar -xzf "$scratch/archive" -C "$scratch"
  # The rename is atomic, and works while the old program is running.
  cp "$scratch/${archive%.tar.gz}/@program@" "$folder/.@program@.new"
  chmod 755 "$folder/.@program@.new"
  mv -f "$folder/.@program@.new" "$folder/@program@"
  "$folder/@program@" --version
  case :$PATH: in
  *:"$folder":*) ;;
  *) echo "$folder is not on your PATH: start $folder/@program@, or add the folder" ;;
  esac
}

install_program
