// The paths of the pages that e-mail links lead to.

export const accountPaths = {
  forgotPassword: '/auth/forgot-password',
  sendConfirmation: '/auth/send-confirmation',
  sendChange: '/auth/send-change',
  confirm: '/auth/confirm',
  confirmed: '/auth/confirmed',
  newPassword: '/auth/new-password',
  linkExpired: '/auth/link-expired',
} as const;
