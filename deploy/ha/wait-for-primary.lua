-- New connections wait while there is no primary. If they were refused, PgBouncer would close the connections of the
-- services, and all of them would connect again, with TLS and a password, while the new primary starts.

-- In milliseconds.
local LONGEST_WAIT = 2000
local LOOK_AGAIN_AFTER = 50

core.register_action("wait_for_primary", { "tcp-req" }, function(txn)
  local waited = 0
  while txn.f:nbsrv("primary") == 0 and waited < LONGEST_WAIT do
    core.msleep(LOOK_AGAIN_AFTER)
    waited = waited + LOOK_AGAIN_AFTER
  end
end)
