// Parses e-mailed links. Opening a link changes nothing until the button is pressed, because mail scanners open links
// too.

/** As named in the links and in auth-js. */
export type LinkType = 'signup' | 'invite' | 'recovery' | 'email_change' | 'magiclink' | 'email';

/** The texts on the page before the button is pressed. */
interface Question {
  title: string;
  text: string;
  action: string;
}

const SIGN_IN: Question = { title: 'Sign in', text: 'This link signs you in. It works once.', action: 'Sign me in' };

export const QUESTIONS: Record<LinkType, Question> = {
  signup: {
    title: 'Confirm your e-mail',
    text: 'Confirm that this address is yours to activate your account.',
    action: 'Confirm my e-mail',
  },
  invite: {
    title: 'You are invited',
    text: 'Accept, then choose a password for your account.',
    action: 'Accept the invitation',
  },
  recovery: {
    title: 'Set a new password',
    text: 'Continue to choose a new password for your account.',
    action: 'Choose a new password',
  },
  email_change: {
    title: 'Change your e-mail',
    text: 'Confirm that you want to use the new address for your account.',
    action: 'Confirm the change',
  },
  magiclink: SIGN_IN,
  email: SIGN_IN,
};

export const isLinkType = (text: string | null): text is LinkType => text !== null && Object.hasOwn(QUESTIONS, text);

export type MailedLink =
  | { kind: 'token'; tokenHash: string; type: LinkType }
  /** Verified by the server, which appended a session or a code to the URL. */
  | { kind: 'session'; type: LinkType }
  | { kind: 'code'; code: string }
  | { kind: 'broken' };

/** Rejects other origins, so that a link can't redirect to another site. */
export function placeOf(text: string | null, origin = window.location.origin): string | undefined {
  if (!text || !URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}

export const nextOf = (query: URLSearchParams): string | undefined =>
  placeOf(query.get('next')) ?? placeOf(query.get('redirect_to'));

export function linkOf(query: URLSearchParams): MailedLink {
  const [tokenHash, type, code] = [query.get('token_hash'), query.get('type'), query.get('code')];
  const arrived = query.get('arrived');
  if (tokenHash && isLinkType(type)) return { kind: 'token', tokenHash, type };
  if (isLinkType(arrived)) return { kind: 'session', type: arrived };
  if (code) return { kind: 'code', code };
  return { kind: 'broken' };
}
