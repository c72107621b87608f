// An account's rows in the database: reads columns that no client can see, and moves timestamps into the past.
import pg from 'pg';

async function withDatabase(statement: string, userId: string) {
  const connection = new pg.Client({ connectionString: process.env.DB_URL });
  await connection.connect();
  const { rows } = await connection.query(statement, [userId]);
  await connection.end();
  return rows;
}

/** The account's row, if there is one. */
export const remains = (userId: string) =>
  withDatabase(
    `select email, encrypted_password, raw_user_meta_data, deleted_at is not null as is_deleted
       from auth.users
      where id = $1`,
    userId,
  );

/** Sets the time of the account's last mails to yesterday. */
export const mailedYesterday = (userId: string) =>
  withDatabase(
    // Addresses have a one-minute limit of their own. Its rows are found by the mails' exact time.
    `with waits as (
       delete from auth.mail_allowances using auth.users
        where users.id = $1 and mail_allowances.used_until - interval '1 minute'
          in (confirmation_sent_at, recovery_sent_at, email_change_sent_at)
     )
     update auth.users
        set confirmation_sent_at = confirmation_sent_at - interval '1 day',
            recovery_sent_at = recovery_sent_at - interval '1 day',
            email_change_sent_at = email_change_sent_at - interval '1 day',
            reauthentication_sent_at = reauthentication_sent_at - interval '1 day'
      where id = $1`,
    userId,
  );

/** Sets the start of the account's sessions to two days ago. */
export const signedInLongAgo = (userId: string) =>
  withDatabase("update auth.sessions set created_at = created_at - interval '2 days' where user_id = $1", userId);

/** Sets the last use of the account's used refresh tokens to a minute ago, after the reuse interval. */
export const refreshedAMinuteAgo = (userId: string) =>
  withDatabase(
    "update auth.refresh_tokens set revoked_at = revoked_at - interval '1 minute' where session_id in (select id from auth.sessions where user_id = $1)",
    userId,
  );

/** Sets the time at which the account's links were opened to six minutes ago. */
export const followedSixMinutesAgo = (userId: string) =>
  withDatabase(
    "update auth.flow_state set auth_code_issued_at = auth_code_issued_at - interval '6 minutes' where user_id = $1",
    userId,
  );

/** Lets the account use its authenticator's current code again, so that tests need not wait for the next one. */
export const usedNoCode = (userId: string) =>
  withDatabase('update auth.mfa_factors set last_step = null where user_id = $1', userId);
