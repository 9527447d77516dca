# A bare Debian 12 that debootstrap makes; sourced, from bash. It is in `root`, or in a temporary folder, which is
# removed in the end; the mounts are in a namespace that ends with the commands. Ends with 77 and a reason where that
# cannot be tried: it needs root, Linux's namespaces and Debian's archive.
#
# Of this machine it takes what it needs to reach the archives: proxies, Acquire options and mirrors of apt, names of
# hosts, certificates of its own, and indexes of pip, npm and cargo.

skip() {
  echo "$*"
  exit 77
}

# mirror SUITE DEFAULT: where this machine's apt finds a suite of Debian's archive.
mirror() {
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format '$(SITE) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$1" -v found="$2" '$2 == suite && $3 == "Debian" { found = $1; exit } END { print found }'
}

[ "$(id -u)" = 0 ] || skip "only root can make a chroot"
[ "$(uname -s)" = Linux ] || skip "only Linux has a Debian"
unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces here: unshare fails"
git rev-parse --verify -q HEAD >/dev/null || skip "this is no clone of the repository"
if ! command -v debootstrap >/dev/null; then
  . scripts/lib.sh
  (install_packages debootstrap) >/dev/null 2>&1 || skip "debootstrap is missing, and could not be installed"
fi

if [ -n "${root-}" ]; then mkdir "$root"; root=$(readlink -f "$root"); else root=$(mktemp -d); fi
child=
clean() {
  [ -z "$child" ] || kill -KILL "$child" 2>/dev/null && wait "$child" 2>/dev/null || true
  rm -rf --one-file-system "$root" "$root.log"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP
archive=$(mirror bookworm http://deb.debian.org/debian)
security=$(mirror bookworm-security http://deb.debian.org/debian-security)

# debootstrap fetches as apt does.
for kind in http https; do
  proxy=$(apt-config dump --format '%v' "Acquire::$kind::Proxy" 2>/dev/null || true)
  [ -z "$proxy" ] || export "${kind}_proxy=$proxy"
done
unshare --mount --pid --fork --kill-child --mount-proc \
  debootstrap --variant=minbase bookworm "$root" "$archive" >"$root.log" 2>&1 &
child=$!
wait $child || skip "debootstrap: $(tail -n 1 "$root.log")"
child=

printf 'deb %s %s main\n' "$archive" bookworm "$archive" bookworm-updates "$security" bookworm-security \
  >"$root/etc/apt/sources.list"
rm -rf "$root"/var/lib/apt/lists/*  # fresh machines have none, or old ones
apt-config dump | grep -E '^Acquire::' | grep -vE '^Acquire::(IndexTargets|Changelogs)' \
  >"$root/etc/apt/apt.conf.d/90machine" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
for file in /etc/pip.conf /usr/local/share/ca-certificates; do
  if [ -e "$file" ]; then cp -rL "$file" "$root$(dirname "$file")/"; fi
done
environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
for name in {HTTP,HTTPS,ALL,NO}_PROXY {http,https,all,no}_proxy PIP_INDEX_URL PIP_EXTRA_INDEX_URL \
  {NPM_CONFIG_REGISTRY,npm_config_registry}; do
  [ -z "${!name-}" ] || environment+=("$name=${!name}")
done

# inside COMMAND: in the chroot. What it starts ends with it.
inside() {
  # shellcheck disable=SC2016 # for the inner shell
  exec env -i "${environment[@]}" unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" && mount --rbind /dev "$1/dev" &&
      exec chroot "$1" bash -c "cd /root/stijl && $2"' bash "$root" "$1"
}
