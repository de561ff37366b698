// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link, Route, Router, Switch } from 'wouter-preact';
import { AlertsPage } from '../alerts/AlertsPage.tsx';
import { clearApiKey, readApiKey } from '../api/apiKey.ts';
import { rejections } from '../api/call.ts';
import { InstallationContext } from '../api/installation.ts';
import { MeContext } from '../api/me.ts';
import { useGet } from '../api/useGet.ts';
import { AuditPage } from '../audit/AuditPage.tsx';
import { ChannelPage } from '../channel/ChannelPage.tsx';
import { NewChannelPage } from '../channel/NewChannelPage.tsx';
import { ChannelsPage } from '../channels/ChannelsPage.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading, LoadState } from '../components/feedback/Loading.tsx';
import { CreativesPage } from '../creatives/CreativesPage.tsx';
import { DeletedPage } from '../deleted/DeletedPage.tsx';
import { KeysPage } from '../keys/KeysPage.tsx';
import { useHashPath, useHashQuery } from '../navigation/hashLocation.ts';
import { lazily } from '../navigation/lazily.tsx';
import { confirmLeave } from '../navigation/unsavedChanges.ts';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { PlaylistPage } from '../playlists/PlaylistPage.tsx';
import { PlaylistsPage } from '../playlists/PlaylistsPage.tsx';
import { ReportsPage } from '../reports/ReportsPage.tsx';
import { SessionPage } from '../sessions/SessionPage.tsx';
import { SessionsPage } from '../sessions/SessionsPage.tsx';
import { SignIn } from '../signIn/SignIn.tsx';
import { type OpenId, readSignIn, signOutUser } from '../signIn/signInApi.ts';
import { SystemsPage } from '../systems/SystemsPage.tsx';
import { Shell } from './Shell.tsx';
import { useTimeZone } from './useTimeZone.ts';

const WeekPage = lazily(async () => (await import('../programme/WeekPage.tsx')).WeekPage);
const AsRunPage = lazily(async () => (await import('../programme/AsRunPage.tsx')).AsRunPage);
const GuidePage = lazily(async () => (await import('../programme/GuidePage.tsx')).GuidePage);
const OnAirPage = lazily(async () => (await import('../programme/OnAirPage.tsx')).OnAirPage);

const AdSourcesPage = lazily(async () => (await import('../demand/AdSourcesPage.tsx')).AdSourcesPage);
const NewAdSourcePage = lazily(async () => (await import('../demand/AdSourcePage.tsx')).NewAdSourcePage);
const AdSourcePage = lazily(async () => (await import('../demand/AdSourcePage.tsx')).AdSourcePage);

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

const NotFound = () => (
  <EmptyState icon="alert" title="Page not found">
    <p>
      Go to <Link href="/overview">Overview</Link>.
    </p>
  </EmptyState>
);

/** The router has already decoded some of the id; decoding it again fails for an id that contains a per cent sign. */
function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No id begins with a tilde, so `~new` cannot be the id of a record. */
const Pages = () => (
  <Switch>
    <Route path="/overview" component={OverviewPage} />
    <Route path="/channels" component={ChannelsPage} />
    <Route path="/channels/~new" component={NewChannelPage} />
    <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/channels/:id/programme">{({ id }) => <WeekPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/channels/:id/programme/on-air">{({ id }) => <OnAirPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/channels/:id/programme/as-run">{({ id }) => <AsRunPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/channels/:id/programme/guide">{({ id }) => <GuidePage key={id} id={decodeId(id)} />}</Route>
    <Route path="/playlists" component={PlaylistsPage} />
    <Route path="/playlists/~new">{() => <PlaylistPage />}</Route>
    <Route path="/playlists/:id">{({ id }) => <PlaylistPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/ad-sources">{() => <AdSourcesPage />}</Route>
    <Route path="/ad-sources/~new">{() => <NewAdSourcePage />}</Route>
    <Route path="/ad-sources/:id">{({ id }) => <AdSourcePage key={id} id={decodeId(id)} />}</Route>
    <Route path="/sessions" component={SessionsPage} />
    <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/reports" component={ReportsPage} />
    <Route path="/creatives" component={CreativesPage} />
    <Route path="/alerts/:tab?">{({ tab }) => <AlertsPage tab={tab} />}</Route>
    <Route path="/systems" component={SystemsPage} />
    <Route path="/keys" component={KeysPage} />
    <Route path="/deleted">{() => <DeletedPage />}</Route>
    <Route path="/audit">{() => <AuditPage />}</Route>
    <Route component={NotFound} />
  </Switch>
);
