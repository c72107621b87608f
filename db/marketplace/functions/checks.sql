-- Who may call the functions of check constraints, generated columns and operators. They are next to the tables, because stored
-- rows depend on them. A check runs with the privileges of the role that writes the row.
revoke all on function
  app.is_email(text), app.is_one_line(text[]), app.one_line(text), app.label_like(app.label, app.label), app.label_ilike(app.label, app.label),
  app.follower_count(text), app.is_web_link(text), app.is_image_url(text), app.is_optional_text(jsonb, integer), app.is_service_list(jsonb),
  app.is_post_list(jsonb), app.is_image_list(text[]), app.is_payment_info(jsonb), app.is_subscription_date(timestamptz),
  app.members_are_one_line(jsonb, text[])
from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin;

-- Checks of what visitors write, LIKE and ILIKE for labels.
grant execute on function
  app.is_email(text), app.is_one_line(text[]), app.label_like(app.label, app.label), app.label_ilike(app.label, app.label)
to anon, authenticated, service_role;

grant execute on function
  app.follower_count(text), app.is_web_link(text), app.is_image_url(text), app.is_optional_text(jsonb, integer), app.is_service_list(jsonb),
  app.is_post_list(jsonb), app.is_image_list(text[]), app.is_payment_info(jsonb), app.is_subscription_date(timestamptz),
  app.members_are_one_line(jsonb, text[])
to authenticated, service_role;
