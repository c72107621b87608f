// The pages that e-mail links lead to, in one chunk, because a user who opens one soon opens the next.
import type { ReactNode } from 'react';
import { ConfirmPage } from '@/features/auth/components/confirm-page';
import { ConfirmedPage } from '@/features/auth/components/confirmed-page';
import { LinkExpiredPage } from '@/features/auth/components/link-expired-page';
import { MailRequestPage } from '@/features/auth/components/mail-request-page';
import { NewPasswordPage } from '@/features/auth/components/new-password-page';
import type { accountPaths } from '@/lib/account-paths';

const PAGES: Record<keyof typeof accountPaths, ReactNode> = {
  forgotPassword: <MailRequestPage key="recovery" kind="recovery" />,
  sendConfirmation: <MailRequestPage key="signup" kind="signup" />,
  sendChange: <MailRequestPage key="change" kind="email_change" />,
  confirm: <ConfirmPage />,
  confirmed: <ConfirmedPage />,
  newPassword: <NewPasswordPage />,
  linkExpired: <LinkExpiredPage />,
};

export default function MailedPage({ page }: { page: keyof typeof accountPaths }) {
  return PAGES[page];
}
