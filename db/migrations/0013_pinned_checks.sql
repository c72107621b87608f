-- Functions that checks and generated columns call look nothing up by a caller's search_path.
set local role serasi_owner;

alter function app.follower_count(text) set search_path = '';
alter function app.is_web_link(text) set search_path = '';
alter function app.is_image_url(text) set search_path = '';
alter function app.is_email(text) set search_path = '';
alter function app.is_optional_text(jsonb, integer) set search_path = '';
alter function app.is_service_list(jsonb) set search_path = '';
alter function app.is_post_list(jsonb) set search_path = '';
alter function app.is_image_list(text[]) set search_path = '';
alter function app.is_payment_info(jsonb) set search_path = '';
alter function app.is_subscription_date(timestamptz) set search_path = '';
alter function storage.path_parts(text) set search_path = '';

reset role;
