-- Notifies the mail worker of new mail. PostgreSQL delivers the notification when the transaction commits.

create or replace function app.wake_mailer() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('mail_outbox', '');
  return null;
end $$;

create or replace trigger wake_mailer after insert on app.mail_outbox
  for each statement execute function app.wake_mailer();
