import { Route, Switch } from 'wouter-preact';
import { ChannelPage } from './channel/ChannelPage.tsx';
import { NewChannelPage } from './channel/NewChannelPage.tsx';
import { OverviewPage } from './overview/OverviewPage.tsx';
import { Empty } from './parts/Empty.tsx';

const NothingHere = () => (
  <Empty icon="alert" title="There is no such page">
    <p>
      Go to the <a href="#/">overview</a>.
    </p>
  </Empty>
);

export const Pages = () => (
  <Switch>
    <Route path="/" component={OverviewPage} />
    <Route path="/channels/new" component={NewChannelPage} />
    <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={decodeURIComponent(id)} />}</Route>
    <Route component={NothingHere} />
  </Switch>
);
