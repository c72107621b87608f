-- Who may call the functions of check constraints, generated columns and operators. They are next to the tables, because stored
-- rows depend on them. A check runs with the privileges of the role that writes the row.
revoke all on function
  app.is_email(text), app.is_one_line(text[]), app.one_line(text), app.label_like(app.label, app.label), app.label_ilike(app.label, app.label),
  storage.path_parts(text), storage.folder_key(text), storage.sort_key(text)
from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin, functions_admin;

grant execute on function app.is_email(text), app.is_one_line(text[]) to anon, authenticated, service_role;

-- LIKE and ILIKE for labels.
grant execute on function app.label_like(app.label, app.label), app.label_ilike(app.label, app.label)
  to anon, authenticated, service_role;

-- Used in generated columns, so by everyone whom a policy on storage.objects lets write.
grant execute on function storage.path_parts(text), storage.folder_key(text), storage.sort_key(text)
  to anon, authenticated, service_role, storage_admin;
