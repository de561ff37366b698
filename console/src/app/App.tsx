// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { clearApiKey, readApiKey } from '../api/apiKey.ts';
import { rejections } from '../api/call.ts';
import { InstallationContext } from '../api/installation.ts';
import { MeContext } from '../api/me.ts';
import { useGet } from '../api/useGet.ts';
import { Loading, LoadState } from '../components/feedback/Loading.tsx';
import { useHashPath, useHashQuery } from '../navigation/hashLocation.ts';
import { confirmLeave } from '../navigation/unsavedChanges.ts';
import { SignIn } from '../signIn/SignIn.tsx';
import { type OpenId, readSignIn, signOutUser } from '../signIn/signInApi.ts';
import { Pages } from './Pages.tsx';
import { Shell } from './Shell.tsx';
import { useTimeZone } from './useTimeZone.ts';

const KEY_REJECTED = 'Your API key was revoked or has expired. Sign in with another key.';
const SESSION_ENDED = 'Your session has ended. Sign in again.';

/** Milliseconds: how often what does not work is read again. */
const INSTALLATION_MS = 60_000;

/** The sign-in form, or the pages for a signed-in operator. */
export function App() {
  // Undefined until it is known whether the browser has a session.
  const [isSignedIn, setSignedIn] = useState<boolean | undefined>(readApiKey() === null ? undefined : true);
  const [openId, setOpenId] = useState<OpenId>();
  const [signOutReason, setSignOutReason] = useState<string>();
  const signOut = (reason?: string) => {
    clearApiKey();
    setSignOutReason(reason);
    setSignedIn(false);
  };
  const signOutHere = async () => {
    if (!confirmLeave()) return;
    if (readApiKey() === null) await signOutUser();
    signOut();
  };
  useEffect(() => rejections.listen(() => signOut(readApiKey() === null ? SESSION_ENDED : KEY_REJECTED)), []);
  useEffect(() => {
    void readSignIn(readApiKey() === null).then((found) => {
      setOpenId(found.openId);
      setSignedIn((before) => before ?? found.isSignedIn);
    });
  }, []);
  // All pages show the times of the selected zone.
  useTimeZone();
  const installation = useGet('/installation', isSignedIn ? {} : null, INSTALLATION_MS);
  const me = useGet('/me', isSignedIn ? {} : null);

  if (isSignedIn === false)
    return <SignIn notice={signOutReason} openId={openId} onSignedIn={() => setSignedIn(true)} />;
  if (isSignedIn === undefined || installation.data === undefined || me.data === undefined) {
    return (
      <main class="centered">
        {isSignedIn === undefined ? (
          <Loading />
        ) : (
          <LoadState of={installation.error === undefined ? me : installation} />
        )}
      </main>
    );
  }
  return (
    <InstallationContext.Provider value={installation.data}>
      <MeContext.Provider value={me.data}>
        <Router hook={useHashPath} searchHook={useHashQuery}>
          <Shell onSignOut={() => void signOutHere()}>
            <Pages />
          </Shell>
        </Router>
      </MeContext.Provider>
    </InstallationContext.Provider>
  );
}
