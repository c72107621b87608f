-- Mails of accounts beside the approval's, and an end for those that can't be delivered.
set local role serasi_owner;

alter table app.mail_outbox
  add column given_up_at timestamptz,
  drop constraint mail_outbox_template_known,
  add constraint mail_outbox_template_known check (template in
    ('confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication', 'approved')),
  drop constraint mail_outbox_recipient_valid,
  -- Whatever an account may be named by, so `me@localhost` too, and nothing that could be more than one address.
  add constraint mail_outbox_recipient_valid check (
    char_length(recipient) <= 254 and recipient ~ '^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+$'),
  add constraint mail_outbox_ends_once check (sent_at is null or given_up_at is null),
  -- Codes and links are for their reader alone: they go when the mail goes.
  add constraint mail_outbox_blank_in_the_end check ((sent_at is null and given_up_at is null) or data = '{}');

drop index app.mail_outbox_due;
create index mail_outbox_due on app.mail_outbox (next_attempt_at) where sent_at is null and given_up_at is null;

reset role;
