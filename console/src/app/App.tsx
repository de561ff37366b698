// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import type { Installation } from '../../../src/http/contract/consoleContract.ts';
import { clearApiKey, readApiKey } from '../api/apiKey.ts';
import { onKeyRejected } from '../api/call.ts';
import { InstallationContext } from '../api/installation.ts';
import { useGet } from '../api/useGet.ts';
import { LoadState } from '../components/feedback/Loading.tsx';
import { useHashPath, useHashQuery } from '../navigation/hashLocation.ts';
import { confirmLeave } from '../navigation/unsavedChanges.ts';
import { SignIn } from '../signIn/SignIn.tsx';
import { Pages } from './Pages.tsx';
import { Shell } from './Shell.tsx';
import { useTimeZone } from './useTimeZone.ts';

/** The sign-in form, or the pages for a signed-in operator. */
export function App() {
  const [hasKey, setHasKey] = useState(readApiKey() !== null);
  const [signOutReason, setSignOutReason] = useState<string>();
  const signOut = (reason?: string) => {
    clearApiKey();
    setSignOutReason(reason);
    setHasKey(false);
  };
  useEffect(
    () => onKeyRejected(() => signOut('Your API key was revoked or has expired. Sign in with another key.')),
    [],
  );
  // All pages show the times of the selected zone.
  useTimeZone();
  const installation = useGet<Installation>(hasKey ? '/installation' : null);

  if (!hasKey) return <SignIn notice={signOutReason} onSignedIn={() => setHasKey(true)} />;
  if (installation.data === undefined) {
    return (
      <main class="centered">
        <LoadState of={installation} />
      </main>
    );
  }
  return (
    <InstallationContext.Provider value={installation.data}>
      <Router hook={useHashPath} searchHook={useHashQuery}>
        <Shell onSignOut={() => confirmLeave() && signOut()}>
          <Pages />
        </Shell>
      </Router>
    </InstallationContext.Provider>
  );
}
