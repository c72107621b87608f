// The pages around a mailed link, in one piece: who opens one of them soon opens the next.
import { Route, Routes } from 'react-router';
import { ConfirmPage } from '@/features/auth/components/confirm-page';
import { ConfirmedPage } from '@/features/auth/components/confirmed-page';
import { LinkExpiredPage } from '@/features/auth/components/link-expired-page';
import { MailRequestPage } from '@/features/auth/components/mail-request-page';
import { NewPasswordPage } from '@/features/auth/components/new-password-page';
import { accountPaths } from '@/lib/account-paths';
import { PublicLayout } from '../layouts/public-layout';
import NotFoundPage from './not-found';

const below = (path: string) => path.replace('/auth/', '');

export default function MailedPages() {
  return (
    <Routes>
      <Route path={below(accountPaths.forgotPassword)} element={<MailRequestPage key="recovery" kind="recovery" />} />
      <Route path={below(accountPaths.sendConfirmation)} element={<MailRequestPage key="signup" kind="signup" />} />
      <Route path={below(accountPaths.sendChange)} element={<MailRequestPage key="change" kind="email_change" />} />
      <Route path={below(accountPaths.confirm)} element={<ConfirmPage />} />
      <Route path={below(accountPaths.confirmed)} element={<ConfirmedPage />} />
      <Route path={below(accountPaths.newPassword)} element={<NewPasswordPage />} />
      <Route path={below(accountPaths.linkExpired)} element={<LinkExpiredPage />} />
      <Route element={<PublicLayout />}>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
