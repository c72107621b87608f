-- Who may call the functions of generated columns. They are next to the tables, because stored
-- rows depend on them.
revoke all on function storage.path_parts(text), storage.folder_key(text), storage.sort_key(text)
from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin;

-- Used in generated columns, so by everyone whom a policy on storage.objects lets write.
grant execute on function storage.path_parts(text), storage.folder_key(text), storage.sort_key(text)
  to anon, authenticated, service_role, storage_admin;
