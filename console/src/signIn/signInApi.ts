// SPDX-License-Identifier: Apache-2.0
// Signing in at the provider of the installation, beside the API key. The session is in a cookie that scripts cannot read.
import type { SignInResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { CONSOLE_HEADERS, call } from '../api/call.ts';

export type OpenId = NonNullable<SignInResponse['openId']>;
type SignInState = { readonly openId?: OpenId; readonly isSignedIn: boolean };

const urlOf = (path: string): string => new URL(`auth/${path}`, document.baseURI).href;

/** @param mayBeUser whether to find out if the browser has a session */
export async function readSignIn(mayBeUser: boolean): Promise<SignInState> {
  try {
    const response = await fetch(urlOf('config'));
    const { openId } = response.ok ? ((await response.json()) as SignInResponse) : {};
    if (openId === undefined) return { isSignedIn: false };
    if (!mayBeUser) return { openId, isSignedIn: false };
    const isSignedIn = await call('GET', '/me', { key: null }).then(
      () => true,
      () => false,
    );
    return { openId, isSignedIn };
  } catch {
    return { isSignedIn: false };
  }
}

/** Opens the page of the provider, which leads back to the current page. */
export const startUrl = (): string => urlOf(`login?page=${encodeURIComponent(location.hash.slice(1) || '/overview')}`);

/** Ends the session, and opens the page of the provider that ends it there, if it has one. */
export async function signOutUser(): Promise<void> {
  const response = await fetch(urlOf('logout'), { method: 'POST', headers: CONSOLE_HEADERS }).catch(() => undefined);
  const { url } = response?.ok ? ((await response.json()) as { url?: string }) : {};
  if (url !== undefined) location.assign(url);
}

const faults: Readonly<Record<string, string>> = {
  unavailable: 'The sign-in provider does not respond. Retry later, or sign in with an API key.',
  rejected: 'The sign-in failed. Retry. The log of the server has details.',
  denied: 'The provider denied the sign-in.',
  expired: 'The sign-in took too long, or was already used. Retry.',
  'wrong-state': 'This sign-in was started in another window. Retry.',
  'no-role': 'Your account has no role in Midroll. Request access from an administrator.',
  'no-tenant': 'Your account belongs to no tenant of this installation. Request access from an administrator.',
  'no-email': 'Your account has no verified e-mail address. Add one at the provider.',
};

/** Why the sign-in at the provider failed, by the code in the URL of the page. */
export function signInFault(): string | undefined {
  const code = new URLSearchParams(location.search).get('sign-in');
  if (code === null) return undefined;
  return Object.hasOwn(faults, code) ? faults[code] : faults.rejected;
}
