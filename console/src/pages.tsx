import { Link, Route, Switch } from 'wouter-preact';
import { ChannelPage } from './channel/ChannelPage.tsx';
import { NewChannelPage } from './channel/NewChannelPage.tsx';
import { CreativesPage } from './creatives/CreativesPage.tsx';
import { KeysPage } from './keys/KeysPage.tsx';
import { OverviewPage } from './overview/OverviewPage.tsx';
import { Empty } from './parts/Empty.tsx';
import { PlaylistPage } from './playlist/PlaylistPage.tsx';
import { PlaylistsPage } from './playlist/PlaylistsPage.tsx';
import { ReportsPage } from './reports/ReportsPage.tsx';
import { SessionPage } from './sessions/SessionPage.tsx';
import { SessionsPage } from './sessions/SessionsPage.tsx';
import { SystemsPage } from './systems/SystemsPage.tsx';

const NothingHere = () => (
  <Empty icon="alert" title="There is no such page">
    <p>
      Go to the <Link href="/">overview</Link>.
    </p>
  </Empty>
);

/** An id as it stands in an address; the router has undone some of its encoding already. */
function idOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No id begins with a tilde, so nothing that is new takes the place of something that is called so. */
export const Pages = () => (
  <Switch>
    <Route path="/" component={OverviewPage} />
    <Route path="/channels/~new" component={NewChannelPage} />
    <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={idOf(id)} />}</Route>
    <Route path="/playlists" component={PlaylistsPage} />
    <Route path="/playlists/~new">{() => <PlaylistPage />}</Route>
    <Route path="/playlists/:id">{({ id }) => <PlaylistPage key={id} id={idOf(id)} />}</Route>
    <Route path="/sessions" component={SessionsPage} />
    <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={idOf(id)} />}</Route>
    <Route path="/reports" component={ReportsPage} />
    <Route path="/creatives" component={CreativesPage} />
    <Route path="/systems" component={SystemsPage} />
    <Route path="/keys" component={KeysPage} />
    <Route component={NothingHere} />
  </Switch>
);
