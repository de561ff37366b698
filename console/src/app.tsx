import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import type { Installation } from '../../src/http/consoleContract.ts';
import { onRefusedKey } from './api/call.ts';
import { useHashPath, useHashQuery } from './api/hashLocation.ts';
import { InstallationContext } from './api/installation.ts';
import { forgetKey, readKey } from './api/sessionKey.ts';
import { mayLeave } from './api/unsaved.ts';
import { useGet } from './api/useGet.ts';
import { Pages } from './pages.tsx';
import { Loading } from './parts/Loading.tsx';
import { ErrorNotice } from './parts/Notice.tsx';
import { Shell } from './Shell.tsx';
import { SignIn } from './signIn/SignIn.tsx';

/** Signed out: a question for the key. Signed in: the pages. Addresses are hashes, so one file serves them all. */
export function App() {
  const [hasKey, setHasKey] = useState(readKey() !== null);
  const [why, setWhy] = useState<string>();
  const leave = (reason?: string) => {
    forgetKey();
    setWhy(reason);
    setHasKey(false);
  };
  useEffect(() => onRefusedKey(() => leave('This key is no longer good: it was revoked, or it has ended.')), []);
  const installation = useGet<Installation>(hasKey ? '/installation' : null);

  if (!hasKey) return <SignIn why={why} onSignedIn={() => setHasKey(true)} />;
  if (installation.data === undefined) {
    return (
      <main class="lonely">
        {installation.isLoading ? <Loading /> : null}
        <ErrorNotice error={installation.error} onRetry={installation.reload} />
      </main>
    );
  }
  return (
    <InstallationContext.Provider value={installation.data}>
      <Router hook={useHashPath} searchHook={useHashQuery}>
        <Shell onLeave={() => mayLeave() && leave()}>
          <Pages />
        </Shell>
      </Router>
    </InstallationContext.Provider>
  );
}
