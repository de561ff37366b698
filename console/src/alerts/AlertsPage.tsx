// SPDX-License-Identifier: Apache-2.0
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { EventHistory } from './EventHistory.tsx';
import { FiringAlerts } from './FiringAlerts.tsx';
import { RuleList } from './RuleList.tsx';
import { WebhookList } from './WebhookList.tsx';
import './alerts.css';

const tabs = [
  ['Now', '/alerts'],
  ['History', '/alerts/history'],
  ['Rules', '/alerts/rules'],
  ['Webhooks', '/alerts/webhooks'],
] as const;

const contentOf = (tab: string | undefined) => {
  if (tab === 'history') return <EventHistory />;
  if (tab === 'rules') return <RuleList />;
  if (tab === 'webhooks') return <WebhookList />;
  return <FiringAlerts />;
};

/** What is wrong now, what was, and what is checked. */
export const AlertsPage = ({ tab }: { readonly tab: string | undefined }) => (
  <>
    <PageHeader title="Alerts" />
    <Tabs
      label="Alerts"
      tabs={tabs.map(([name, path]) => ({
        name,
        path,
        isCurrent: path === (tab === undefined ? '/alerts' : `/alerts/${tab}`),
      }))}
    />
    {contentOf(tab)}
  </>
);
