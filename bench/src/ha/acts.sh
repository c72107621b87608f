# What breaks and mends a deployment. ha.rs sets ENGINE, PROJECT (compose's name), ROUND (1 or 2) and TARGETS (containers).
NODES='db1 db2 db3'

container() {
  echo "$PROJECT-$1-${2:-1}"
}

# One of the two containers of a service.
each() {
  container "$1" "$ROUND"
}

# The result of a statement on a node, as the superuser.
sql() {
  "$ENGINE" exec "$(container "$1")" timeout 5 psql --host /tmp --username postgres --dbname serasi -AtqXc "$2"
}

primary_node() {
  for node in $NODES; do
    [ "$(sql "$node" 'select pg_is_in_recovery()' 2> /dev/null)" = f ] && echo "$node" && return
  done
  echo 'there is no primary' >&2
  return 1
}

replica_node() {
  local primary
  primary=$(primary_node) || return
  for node in $NODES; do [ "$node" = "$primary" ] || echo "$node"; done | sed -n "$1p"
}

on_primary() {
  local primary
  primary=$(primary_node) && sql "$primary" "$1"
}

# Whether both replicas can confirm commits.
settled() {
  [ "$(on_primary "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'")" = 2 ]
}

primary() {
  local node
  node=$(primary_node) && container "$node"
}

replica() {
  local node
  node=$(replica_node "$1") && container "$node"
}

etcd() {
  for voter in etcd1 etcd2 etcd3; do container "$voter"; done
}

etcd_leader() {
  for voter in $(etcd); do
    "$ENGINE" exec "$voter" etcdctl endpoint status --write-out fields 2> /dev/null |
      awk -F ' : ' '{ value[$1] = $2 } END { exit value["\"MemberID\""] == "" || value["\"MemberID\""] != value["\"Leader\""] }' &&
      echo "$voter" && return
  done
  echo 'etcd has no leader' >&2
  return 1
}

kill_them() {
  "$ENGINE" kill $TARGETS > /dev/null
}

# Podman gives a container a new hardware address each time, so the old one is removed from the others' ARP caches. Docker
# derives it from the IP address, and a real machine keeps it.
mend_kill_them() {
  "$ENGINE" start $TARGETS > /dev/null || return
  case $ENGINE in *podman) ;; *) return ;; esac
  for other in $("$ENGINE" ps --quiet --filter "name=$PROJECT-"); do
    in_network "$other" ip neigh flush all
  done
}

freeze() {
  "$ENGINE" pause $TARGETS > /dev/null
}

mend_freeze() {
  "$ENGINE" unpause $TARGETS > /dev/null
}

in_network() {
  nsenter "--net=/proc/$("$ENGINE" inspect --format '{{.State.Pid}}' "$1")/ns/net" "${@:2}"
}

# Drops all packets between the targets and these addresses. Needs root.
drop_packets() {
  for target in $TARGETS; do
    for address in "$@"; do
      in_network "$target" iptables -w -I INPUT -s "$address" -j DROP &&
        in_network "$target" iptables -w -I OUTPUT -d "$address" -j DROP || return
    done
  done
}

isolate() {
  drop_packets 0.0.0.0/0
}

part_from_etcd() {
  drop_packets $("$ENGINE" inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' $(etcd) | cut -d ' ' -f 1)
}

mend_isolate() {
  for target in $TARGETS; do
    in_network "$target" iptables -w -F INPUT && in_network "$target" iptables -w -F OUTPUT || return
  done
}

mend_part_from_etcd() {
  mend_isolate
}

switchover() {
  "$ENGINE" exec $TARGETS cluster switchover serasi --leader "$(primary_node)" --candidate "$(replica_node 1)" --force > /dev/null
}

# The old primary has to stop, first.
mend_switchover() {
  sleep 2
}
