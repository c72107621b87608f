-- Who may call the functions of ../01_checks.sql: the roles that write the rows that they check.
revoke all on function
  app.follower_count(text), app.is_web_link(text), app.is_image_url(text), app.is_optional_text(jsonb, integer), app.is_service_list(jsonb),
  app.is_post_list(jsonb), app.is_image_list(text[]), app.is_payment_info(jsonb), app.is_subscription_date(timestamptz),
  app.members_are_one_line(jsonb, text[])
from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin, functions_admin;

grant execute on function
  app.follower_count(text), app.is_web_link(text), app.is_image_url(text), app.is_optional_text(jsonb, integer), app.is_service_list(jsonb),
  app.is_post_list(jsonb), app.is_image_list(text[]), app.is_payment_info(jsonb), app.is_subscription_date(timestamptz),
  app.members_are_one_line(jsonb, text[])
to authenticated, service_role;
