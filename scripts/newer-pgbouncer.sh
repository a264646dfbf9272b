#!/usr/bin/env bash
# Puts PgBouncer of Debian 13 into a folder, with the libraries that it needs, for a machine with Debian 12, whose own is too
# old. Nothing is installed: `<folder>/pgbouncer` starts it with these libraries.
#
#   scripts/newer-pgbouncer.sh /opt/pgbouncer
set -euo pipefail
folder=${1:?the folder to put it in}
mkdir -p "$folder"/{lists/partial,archives/partial,root}
folder=$(cd "$folder" && pwd)

# From where this machine has its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(CODENAME)' 'Created-By: Packages' |
  awk '$2 == "Debian" && $3 !~ /-/ { print $1; exit }')
[ -n "$mirror" ] || { echo "This machine has no packages of Debian; install PgBouncer 1.21 or newer." >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$folder/sources.list"
: >"$folder/status"
options=(
  -qq
  -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status"
  -o "Dir::Cache=$folder" -o "Dir::Cache::archives=$folder/archives" -o APT::Sandbox::User=
)
apt-get "${options[@]}" update
apt-get "${options[@]}" install -y --no-install-recommends --download-only pgbouncer >/dev/null
for package in "$folder"/archives/*.deb; do dpkg -x "$package" "$folder/root"; done
rm -r "$folder"/{lists,archives,status,sources.list} "$folder"/*.bin 2>/dev/null || true

libraries=$(dirname "$(find "$folder/root/usr/lib" -name libevent-2.1.so.7 -print -quit)")
loader=$(find "$libraries" "$folder/root/usr/lib64" -name 'ld-linux-*.so.*' -print -quit 2>/dev/null)
cat >"$folder/pgbouncer" <<END
#!/bin/sh
exec "$loader" --library-path "$libraries" "$folder/root/usr/sbin/pgbouncer" "\$@"
END
chmod +x "$folder/pgbouncer"
"$folder/pgbouncer" --version
