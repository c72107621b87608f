#!/bin/bash
# Follows docs/install.md, and the disaster drill of docs/operate.md, inside the machine of `cargo xtask test install`. /test
# has the commands of the pages, one file for each block, and /release and /next the unpacked releases. Prints a line in TAP's
# format for each check.
set -u
origin=http://127.0.0.1:8000
password='correct horse battery'

check() { # NAME COMMAND…
  local name=$1 began=$EPOCHREALTIME
  shift
  if "$@" > /run/output 2>&1 < /dev/null; then
    echo "ok - $name ($(((${EPOCHREALTIME/./} - ${began/./}) / 1000)) ms)"
  else
    echo "not ok - $name"
    sed 's/^/# /' /run/output | tail -n 30
  fi
}
step() { # FILE: a block of the page, in the folder of a release
  local file=/test/$1
  check "$1" bash -euxc "cd ${2:-/release}; $(cat "$file")"
}
answer() { curl --silent --show-error --fail --max-time 60 "$@"; }
api() { # PATH JSON
  answer --header 'content-type: application/json' --data "$2" "$origin$1"
}
field() { grep --only-matching "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
says() { # EXPECTED COMMAND…
  local expected=$1
  shift
  "$@" | tee /dev/stderr | grep --quiet --fixed-strings -- "$expected"
}
at_most() { # LIMIT UNIT
  local score
  score=$(systemd-analyze security --no-pager "$2" | sed -n 's/.* level for .*: \([0-9.]*\) .*/\1/p')
  echo "$2: $score" >> /run/scores
  awk -v score="$score" -v limit="$1" 'BEGIN { exit !(score != "" && score <= limit) }'
}
fails() { ! "$@"; }
# No failures but connections that were cut during a request (curl's 18, 52 and 56): none was refused, timed out or got an error.
only_cut() { # LIMIT
  cat /run/failures
  ! grep --invert-match --extended-regexp '^/|^curl: \((18|52|56)\)' /run/failures && [ "$(grep --count '^/' /run/failures)" -le "$1" ]
}

# Clients that go on until they are stopped.
visit() {
  until [ -e /run/stop ]; do
    for path in / '/rest/v1/influencers?select=id&limit=1' /storage/v1/status; do
      answer --output /dev/null "$origin$path" 2>> /run/failures || echo "$path" >> /run/failures
      echo >> "/run/requests.$1"
    done
    answer --output /dev/null --header "authorization: Bearer $token" "$origin/auth/v1/user" 2>> /run/failures \
      || echo /auth/v1/user >> /run/failures
    echo >> "/run/requests.$1"
  done
}
requests() { cat /run/requests.* | wc -l; }
more() { # until the clients have sent more requests
  local wanted=$(($(requests) + 100))
  while [ "$(requests)" -lt "$wanted" ]; do sleep 0.1; done
}

step install-1
step install-2
cat >> /etc/serasi/serasi.env < /test/settings
step install-3
check 'the units have no mistakes' systemd-analyze verify /etc/systemd/system/serasi*.{service,socket,timer}
sed -i 's/ --email / --password-stdin --email /' /test/install-4
check install-4 bash -euxc "$(cat /test/install-4) <<< '$password'"
check 'a page' says '<div id="root">' answer "$origin/"
session=$(api '/auth/v1/token?grant_type=password' "{\"email\":\"you@example.com\",\"password\":\"$password\"}")
token=$(field access_token <<< "$session")
check 'the superadmin signs in' test -n "$token"
for unit in serasi.service serasi-backup.service serasi-pages.service serasi@auth-service.service; do
  check "the exposure of $unit" at_most 1.5 $unit
done
check commands-1 says SERVICE_ROLE_KEY= bash -euc "$(cat /test/commands-1)"
check 'a backup' systemctl start serasi-backup.service
check 'is there' ls -d /var/backups/serasi/serasi-*
step monitor-1

touch /run/requests.0 /run/failures
for client in 1 2 3; do visit $client & done
more
check 'a restart' systemctl restart serasi.service
more
check 'no request failed' fails grep . /run/failures
check 'a crash' systemctl kill --signal=KILL --kill-whom=main serasi.service
more
# The killed process may have been answering one request of each client.
check 'only requests that were being answered failed' only_cut 3
: > /run/failures
step upgrade-1 /next
more
touch /run/stop
wait
check 'no request failed' fails grep . /run/failures
refresh=$(field refresh_token <<< "$session")
check 'the session stays' api '/auth/v1/token?grant_type=refresh_token' "{\"refresh_token\":\"$refresh\"}"
check 'the sockets stay' answer http://127.0.0.1:8001/ready

step encrypt-1 /next
rm -rf /var/backups/serasi/serasi-*
check 'another backup' systemctl start serasi-backup.service
check 'it is encrypted' grep --quiet --text '^age-encryption.org/v1' /var/backups/serasi/serasi-*.tar.age

# However often it fails, nothing but the settings has to be mended.
cp /etc/serasi/serasi.env /run/settings
echo TRUSTED_PROXIES=nonsense >> /etc/serasi/serasi.env
for attempt in 1 2 3 4 5 6; do
  check "a mistake in the settings is noticed ($attempt)" fails systemctl restart serasi.service
done
check 'the log names it' says TRUSTED_PROXIES journalctl --unit serasi.service --lines 20 --no-pager
cp /run/settings /etc/serasi/serasi.env
check 'it is mended' answer --retry 30 --retry-delay 1 --retry-all-errors "$origin/health"
step remove-1
check 'no unit is left' fails systemctl cat serasi.service
check 'nothing answers' fails answer "$origin/health"
check 'the data stays' ls -d /var/lib/serasi/postgres /var/backups/serasi/serasi-* /etc/serasi/serasi.env

# Another machine, which has only the backup, its key and the secret.
cp -a /next /root/drill
mv /var/lib/serasi/jwt-secret /etc/serasi/backup-key /root/drill/
rm -rf /var/lib/serasi /etc/serasi
step install-1 /root/drill
step install-2 /root/drill
install -m 640 -g serasi /root/drill/backup-key /etc/serasi/backup-key
{ cat /test/settings && echo BACKUP_KEY_FILE=/etc/serasi/backup-key; } >> /etc/serasi/serasi.env
step drill-1 /root/drill
step install-3 /root/drill
check 'the restored session' answer --header "authorization: Bearer $token" "$origin/auth/v1/user"
sed 's/^/# /' /run/scores
echo "# $(requests) requests"
journalctl --unit serasi.service --no-pager --output short-monotonic > /test/journal
echo '# the end'
