// SPDX-License-Identifier: Apache-2.0
// The panels of viewers, ads, creatives and stores (panels.mjs describes their fields).
import { nodes, rate } from './queries.mjs';

const share = (part, whole) => `(${part}) / (${whole})`;
const percentile = (metric, by, labels = nodes) =>
  `histogram_quantile(0.99, sum by (${by}, le) (${rate(`${metric}_bucket`, labels)}))`;
const value = (metric, by, labels = nodes) => `max by (${by}) (${metric}{${labels}})`;
const rateBy = (metric, by, labels = nodes) => `sum by (${by}) (${rate(metric, labels)})`;
const panel = (title, unit, description, queries, more = {}) => ({
  ...{ title, unit, description, queries, width: 8 },
  ...more,
});
const red = (from) => ({ thresholds: [[from, 'red']] });

export const livePort = [
  panel('Live requests', 'reqps', 'Requests to the live port per second, by route.', [
    ['{{route}} {{format}}', rateBy('midroll_live_request_seconds_count', 'route, format')],
  ]),
  panel(
    'Manifests (p99)',
    's',
    'Time until a manifest is written.',
    [
      [
        '{{instance}} {{route}}',
        percentile('midroll_live_request_seconds', 'instance, route', `${nodes},route=~"media|mpd"`),
      ],
    ],
    red(0.25),
  ),
  panel(
    'Live errors',
    'percentunit',
    'Share of the requests to the live port with status 5xx.',
    [
      [
        '{{instance}}',
        share(
          rateBy('midroll_live_request_seconds_count', 'instance', `${nodes},status="5xx"`),
          rateBy('midroll_live_request_seconds_count', 'instance'),
        ),
      ],
    ],
    red(0.01),
  ),
  panel('Unavailable', 'reqps', 'Responses with status 503 per second, by what was unavailable.', [
    ['{{part}}', rateBy('midroll_live_unavailable_total', 'part')],
  ]),
  panel('Manifests that waited', 'reqps', 'Manifests per second that could not be answered from memory.', [
    ['{{instance}} {{format}}', rateBy('midroll_live_manifests_waited_total', 'instance, format')],
  ]),
  panel('Versions', 'short', 'Nodes by version of Midroll.', [
    ['{{version}}', `count by (version) (midroll_build_info{${nodes}})`],
  ]),
];

export const audience = [
  panel('Viewers', 'short', 'Viewers of the 20 largest channels, at all nodes.', [
    ['{{channel}}', `topk(20, ${value('midroll_viewers', 'tenant, channel')})`],
  ]),
  panel('New sessions', 'ops', 'Sessions opened per second, of the 20 busiest channels.', [
    ['{{channel}}', `topk(20, ${rateBy('midroll_sessions_opened_total', 'tenant, channel')})`],
  ]),
  panel('Channels', 'short', 'Enabled channels by state, as the node that finds most.', [
    ['{{state}}', value('midroll_channels', 'state')],
  ]),
  panel('Sessions in memory', 'short', 'Sessions in the memory of each node.', [
    ['{{instance}}', `sum by (instance) (midroll_sessions_in_memory{${nodes}})`],
  ]),
];

export const ads = [
  panel('Ad requests', 'reqps', 'Requests to ad servers per second, by outcome.', [
    ['{{outcome}}', rateBy('midroll_ad_requests_total', 'outcome')],
  ]),
  panel('Ad servers (p99)', 's', 'Duration of requests to each ad server.', [
    ['{{host}}', percentile('midroll_ad_host_request_seconds', 'host')],
  ]),
  panel('Failed requests by host', 'percentunit', 'Share of the requests to each ad server that fail.', [
    [
      '{{host}}',
      share(
        rateBy('midroll_ad_host_requests_total', 'host', `${nodes},outcome=~"timeout|error|invalid"`),
        rateBy('midroll_ad_host_requests_total', 'host'),
      ),
    ],
  ]),
  panel('Fill rate', 'percentunit', 'Share of the time of decided breaks that is ads, and that is slate.', [
    ['ads', share(`sum(${rate('midroll_ad_seconds_total')})`, `sum(${rate('midroll_break_seconds_total')})`)],
    ['slate', share(`sum(${rate('midroll_slate_seconds_total')})`, `sum(${rate('midroll_break_seconds_total')})`)],
  ]),
  panel('Decisions', 'ops', 'Decided breaks of viewers per second, by status.', [
    ['{{status}}', rateBy('midroll_decisions_total', 'status')],
  ]),
  panel('Breaks not filled', 'ops', 'Partial and empty breaks per second, by reason.', [
    ['{{reason}}', rateBy('midroll_decisions_not_filled_total', 'reason')],
  ]),
  panel('Skipped ads', 'ops', 'Ads per second that were returned and not used, by reason.', [
    ['{{reason}}', rateBy('midroll_ads_skipped_total', 'reason')],
  ]),
  panel('Slowest channels (p99)', 's', 'Duration of ad requests of the ten channels with the slowest ones.', [
    ['{{channel}}', `topk(10, ${percentile('midroll_ad_request_seconds', 'tenant, channel')})`],
  ]),
];

const workers = 'job=~"$job|midroll-workers"';
export const creatives = [
  panel('Creative queue', 'short', 'Creatives and slate in the queue, by state.', [
    ['{{state}}', value('midroll_creative_queue', 'state', workers)],
  ]),
  panel(
    'Oldest creative',
    's',
    'How long the creative that has been due longest has waited.',
    [['oldest', `max(midroll_creative_queue_oldest_seconds{${workers}})`]],
    red(600),
  ),
  panel('Jobs and programs', 'short', 'Jobs that each process works on, and programs that it runs.', [
    ['{{instance}} jobs', value('midroll_creative_jobs_running', 'instance', workers)],
    ['{{instance}} {{program}}', value('midroll_ffmpeg_running', 'instance, program', workers)],
  ]),
  panel('Conditioning (p99)', 's', 'Duration of jobs by result, and of programs.', [
    ['{{kind}} {{result}}', percentile('midroll_creative_job_seconds', 'kind, result', workers)],
    ['{{program}}', percentile('midroll_ffmpeg_seconds', 'program', workers)],
  ]),
  panel('Conditioning failures', 'ops', 'Failed attempts per second, by fault.', [
    ['{{kind}} {{fault}}', rateBy('midroll_creative_failures_total', 'kind, fault', workers)],
  ]),
];

export const stores = [
  panel('Stores available', 'short', '1 while a store responds.', [
    ['database {{instance}}', `midroll_database_available{${nodes}}`],
    ['sessions {{instance}}', `midroll_session_store_available{${nodes}}`],
  ]),
  panel('Database (p99)', 's', 'Duration of operations of the database.', [
    ['{{operation}}', percentile('midroll_database_operation_seconds', 'operation')],
  ]),
  panel('Database errors', 'ops', 'Operations of the database per second that failed.', [
    ['{{operation}}', rateBy('midroll_database_operation_seconds_count', 'operation', `${nodes},result="error"`)],
  ]),
  panel('Spools', 'bytes', 'Data in DATA_DIR that the stores do not have yet.', [
    ['deliveries {{instance}}', `midroll_delivery_journal_bytes{${nodes}}`],
    ['decisions {{instance}}', `midroll_decision_spool_bytes{${nodes}}`],
    ['reports {{instance}}', `midroll_report_spool_bytes{${nodes}}`],
  ]),
  panel('Caches', 'short', 'Entries of caches in memory.', [
    ['{{cache}}', `sum by (cache) (midroll_cache_entries{${nodes}})`],
  ]),
  panel('Refused connections', 'ops', 'Outgoing connections per second that were refused, by range of the address.', [
    ['{{range}}', rateBy('midroll_egress_refused_total', 'range')],
  ]),
];

export const pendingBeacons = [
  panel('Pending beacons', 'short', 'Beacons whose next attempt is due; at most 10,000.', [
    ['pending', `max(midroll_beacons_pending{${nodes}})`],
  ]),
  panel(
    'Oldest pending beacon',
    's',
    'How long the beacon that has been due longest has waited.',
    [['oldest', `max(midroll_beacons_oldest_pending_seconds{${nodes}})`]],
    red(300),
  ),
];

export const webhooks = [
  panel('Webhook deliveries', 'short', 'Deliveries to webhooks that are due, and that wait after a failed attempt.', [
    ['{{state}}', `max by (state) (midroll_webhook_deliveries{${nodes}})`],
  ]),
  panel('Oldest due delivery', 's', 'How late the delivery to a webhook is that has been due longest.', [
    ['oldest', `max(midroll_webhook_deliveries_oldest_due_seconds{${nodes}})`],
  ]),
  panel('Webhook attempts', 'ops', 'Attempts to deliver per second, by outcome.', [
    ['{{outcome}}', rateBy('midroll_webhook_attempts_total', 'outcome')],
  ]),
];
