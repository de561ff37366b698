// SPDX-License-Identifier: Apache-2.0

import { Link, Route, Switch } from 'wouter-preact';
import { AlertsPage } from '../alerts/AlertsPage.tsx';
import { AuditPage } from '../audit/AuditPage.tsx';
import { ChannelPage } from '../channel/ChannelPage.tsx';
import { NewChannelPage } from '../channel/NewChannelPage.tsx';
import { ChannelsPage } from '../channels/ChannelsPage.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { CreativesPage } from '../creatives/CreativesPage.tsx';
import { DeletedPage } from '../deleted/DeletedPage.tsx';
import { KeysPage } from '../keys/KeysPage.tsx';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { PlaylistPage } from '../playlists/PlaylistPage.tsx';
import { PlaylistsPage } from '../playlists/PlaylistsPage.tsx';
import { ReportsPage } from '../reports/ReportsPage.tsx';
import { SessionPage } from '../sessions/SessionPage.tsx';
import { SessionsPage } from '../sessions/SessionsPage.tsx';
import { SystemsPage } from '../systems/SystemsPage.tsx';

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
export const Pages = () => (
  <Switch>
    <Route path="/overview" component={OverviewPage} />
    <Route path="/" component={ChannelsPage} />
    <Route path="/channels/~new" component={NewChannelPage} />
    <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={decodeId(id)} />}</Route>
    <Route path="/playlists" component={PlaylistsPage} />
    <Route path="/playlists/~new">{() => <PlaylistPage />}</Route>
    <Route path="/playlists/:id">{({ id }) => <PlaylistPage key={id} id={decodeId(id)} />}</Route>
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
