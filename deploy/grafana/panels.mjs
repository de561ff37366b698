// SPDX-License-Identifier: Apache-2.0
// The rows and panels of the dashboard, from which scripts/writeDashboard.mjs writes midroll.json.
// A panel: title, description (shown as a tooltip), unit, width of 24 columns, queries as [legend, expression], thresholds as
// [value from which the color applies, color].
import { nodes, rate } from './queries.mjs';
import { ads, audience, creatives, livePort, pendingBeacons, stores, webhooks } from './viewerPanels.mjs';

/** Requests by people and programs, not by load balancers and Prometheus. */
const requests = `${nodes},route!~"/health|/ready|/metrics"`;
const probes = 'job="midroll-ready"';
const quantile = (q, by, labels = requests) =>
  `histogram_quantile(${q}, sum by (${by}) (${rate('midroll_admin_request_seconds_bucket', labels)}))`;

const serviceHealth = [
  {
    ...{ type: 'stat', title: 'Nodes up', width: 4, unit: 'short', thresholds: [[1, 'green']] },
    description: 'Nodes whose metrics Prometheus can scrape.',
    queries: [['up', `sum(up{${nodes}})`]],
  },
  {
    ...{ type: 'stat', title: 'Nodes down', width: 4, unit: 'short', base: 'green', thresholds: [[1, 'red']] },
    description: 'Targets that Prometheus could not scrape.',
    queries: [['down', `sum(1 - up{${nodes}})`]],
  },
  {
    ...{ type: 'stat', title: 'Ready', width: 4, unit: 'short', thresholds: [[1, 'green']] },
    description: 'The worst result of all probes of /ready. No data: the job midroll-ready is missing.',
    names: { 0: 'not ready', 1: 'ready' },
    queries: [['ready', `min(probe_success{${probes}})`]],
  },
  {
    ...{ type: 'stat', title: 'Shortest uptime', width: 4, unit: 's', thresholds: [[600, 'green']], base: 'orange' },
    description: 'Time since the newest process was started.',
    queries: [['uptime', `time() - max(process_start_time_seconds{${nodes}})`]],
  },
  {
    ...{
      type: 'stat',
      title: 'Restarts in 24 hours',
      width: 4,
      unit: 'short',
      base: 'green',
      thresholds: [[3, 'orange']],
    },
    description: 'Restarts of processes, including those of deployments.',
    queries: [['restarts', `sum(changes(process_start_time_seconds{${nodes}}[1d]))`]],
  },
  {
    ...{ type: 'stat', title: 'Node.js', width: 4, unit: 'short', base: 'blue', text: 'name' },
    description: 'Versions of Node.js in use.',
    queries: [['{{version}}', `count by (version) (nodejs_version_info{${nodes}})`]],
  },
  {
    ...{ title: 'Up', width: 12, unit: 'short', max: 1, steps: true },
    description: '1 while Prometheus can scrape the node, 0 while it cannot.',
    queries: [['{{instance}}', `up{${nodes}}`]],
  },
  {
    ...{ title: 'Ready', width: 12, unit: 'short', max: 1, steps: true },
    description: '1 while the route /ready returns 200. Requires the job midroll-ready and the blackbox exporter.',
    queries: [['{{instance}}', `probe_success{${probes}}`]],
  },
];

const processPanels = [
  {
    ...{ title: 'CPU', width: 8, unit: 'percentunit', thresholds: [[0.9, 'red']] },
    description: 'Share of one core that the process uses, without ffmpeg. JavaScript runs on one core per process.',
    queries: [['{{instance}}', rate('process_cpu_seconds_total')]],
  },
  {
    ...{ title: 'Memory', width: 8, unit: 'bytes', thresholds: [[1.5 * 1024 ** 3, 'red']] },
    description:
      'Resident memory, and the part of it that JavaScript objects use. Set the threshold to 80 % of your limit.',
    queries: [
      ['{{instance}} resident', `process_resident_memory_bytes{${nodes}}`],
      ['{{instance}} heap', `nodejs_heap_size_used_bytes{${nodes}}`],
    ],
  },
  {
    ...{ title: 'Heap spaces', width: 8, unit: 'bytes' },
    description:
      'Memory of JavaScript objects by heap space, of all selected nodes. "old" holds sessions and schedules.',
    queries: [['{{space}}', `sum by (space) (nodejs_heap_space_size_used_bytes{${nodes}}) > 0`]],
  },
  {
    ...{ title: 'Event loop lag', width: 8, unit: 's', thresholds: [[0.25, 'red']] },
    description:
      'Time between two turns of the event loop since the last scrape. It is measured every 10 ms, so 10 ms is idle.',
    queries: [
      ['{{instance}} p50', `nodejs_eventloop_lag_p50_seconds{${nodes}}`],
      ['{{instance}} p99', `nodejs_eventloop_lag_p99_seconds{${nodes}}`],
      ['{{instance}} max', `nodejs_eventloop_lag_max_seconds{${nodes}}`],
    ],
  },
  {
    ...{ title: 'Garbage collection', width: 8, unit: 'percentunit', thresholds: [[0.1, 'red']] },
    description: 'Share of time spent on garbage collection, by kind.',
    queries: [['{{instance}} {{kind}}', `sum by (instance, kind) (${rate('nodejs_gc_duration_seconds_sum')})`]],
  },
  {
    ...{ title: 'Garbage collections', width: 8, unit: 'ops' },
    description: 'Runs of the garbage collector per second, by kind.',
    queries: [['{{instance}} {{kind}}', `sum by (instance, kind) (${rate('nodejs_gc_duration_seconds_count')})`]],
  },
  {
    ...{ title: 'Open file descriptors', width: 8, unit: 'short' },
    description: 'Files and connections that the process has open.',
    queries: [['{{instance}}', `process_open_fds{${nodes}}`]],
  },
  {
    ...{ title: 'File descriptors in use', width: 8, unit: 'percentunit', max: 1, thresholds: [[0.8, 'red']] },
    description: 'Open file descriptors as a share of the limit of the process.',
    queries: [['{{instance}}', `process_open_fds{${nodes}} / process_max_fds{${nodes}}`]],
  },
  {
    ...{ title: 'Active resources', width: 8, unit: 'short' },
    description:
      'What keeps the event loop busy: TCPSocketWrap is an open connection, Timeout a timer, FSReqCallback a file.',
    queries: [['{{type}}', `sum by (type) (nodejs_active_resources{${nodes}})`]],
  },
];

const administration = [
  {
    ...{ title: 'Requests by status', width: 8, unit: 'reqps', stacked: true },
    description: 'Requests to the administrative port, without health, readiness and metrics.',
    queries: [['{{status}}', `sum by (status) (${rate('midroll_admin_request_seconds_count', requests)})`]],
  },
  {
    ...{ title: 'Duration', width: 8, unit: 's', thresholds: [[1, 'red']] },
    description: 'Duration of requests to the administrative port.',
    queries: [
      ['p50', quantile(0.5, 'le')],
      ['p95', quantile(0.95, 'le')],
      ['p99', quantile(0.99, 'le')],
    ],
  },
  {
    ...{ title: 'Server errors', width: 8, unit: 'percentunit', thresholds: [[0.01, 'red']] },
    description: 'Share of requests that return status 5xx.',
    queries: [
      [
        'errors',
        `(sum(${rate('midroll_admin_request_seconds_count', `${requests},status=~"5.."`)}) or vector(0)) / sum(${rate('midroll_admin_request_seconds_count', requests)})`,
      ],
    ],
  },
  {
    ...{ title: 'Slowest routes (p95)', width: 12, unit: 's' },
    description: 'The ten routes with the longest 95th percentile. "none": no route matches the path.',
    queries: [['{{method}} {{route}}', `topk(10, ${quantile(0.95, 'method, route, le')})`]],
  },
  {
    ...{ title: 'Busiest routes', width: 12, unit: 'reqps' },
    description: 'The ten routes with the most requests per second.',
    queries: [
      [
        '{{method}} {{route}}',
        `topk(10, sum by (method, route) (${rate('midroll_admin_request_seconds_count', requests)}))`,
      ],
    ],
  },
];

const noticeDelay = (topics) =>
  `histogram_quantile(0.99, sum by (topic, le) (${rate('midroll_notice_delay_seconds_bucket', `${nodes},${topics}`)}))`;
const notices = [
  {
    ...{ title: 'Notices arrive', width: 8, unit: 'short', max: 1, steps: true },
    description: '1 while notices of other processes arrive, 0 while changes are read every second without them.',
    queries: [['{{instance}}', `midroll_notices_connected{${nodes}}`]],
  },
  {
    ...{ title: 'Delay of notices (p99)', width: 8, unit: 's', thresholds: [[1, 'red']] },
    description:
      'From the change of a record until the other processes have read it. "echo": from sending a notice until it has arrived.',
    queries: [['{{topic}}', noticeDelay('topic!=""')]],
  },
  {
    ...{ title: 'Notices', width: 8, unit: 'ops', stacked: true },
    description: 'Notices per second that have arrived, by topic, of all selected nodes.',
    queries: [['{{topic}}', `sum by (topic) (${rate('midroll_notices_total')})`]],
  },
];

const sessionStore = [
  {
    ...{ title: 'Redis batches (p99)', width: 8, unit: 's', thresholds: [[0.5, 'red']] },
    description: 'Time of a batch of calls to Redis, including the confirmation of a replica. Empty without REDIS_URL.',
    queries: [
      [
        '{{instance}}',
        `histogram_quantile(0.99, sum by (instance, le) (${rate('midroll_redis_batch_seconds_bucket')}))`,
      ],
    ],
  },
  {
    ...{ title: 'Calls to Redis', width: 8, unit: 'ops' },
    description: 'Calls per second, and batches per second that failed.',
    queries: [
      ['calls', `sum(${rate('midroll_redis_calls_total')})`],
      ['failed batches', `sum(${rate('midroll_redis_batches_failed_total')})`],
    ],
  },
  {
    ...{ title: 'Masters without a replica', width: 8, unit: 'short', thresholds: [[1, 'red']] },
    description: 'Redis masters that no replica follows, as each node sees it.',
    queries: [['{{instance}}', `midroll_redis_masters_without_replica{${nodes}}`]],
  },
];

const delivery = [
  {
    ...{ title: 'Beacons', width: 8, unit: 'ops' },
    description:
      'Beacons per second: first attempts (sent), further attempts (retried), successes after a retry (recovered), given up (failed).',
    queries: [['{{step}}', `sum by (step) (${rate('midroll_beacons_total')})`]],
  },
  {
    ...{ title: 'Beacons retried or failed', width: 8, unit: 'percentunit', thresholds: [[0.05, 'red']] },
    description: 'Retries and permanent failures as a share of the first attempts.',
    queries: ['retried', 'failed'].map((step) => [
      step,
      `(sum(${rate('midroll_beacons_total', `${nodes},step="${step}"`)}) or vector(0)) / sum(${rate('midroll_beacons_total', `${nodes},step="sent"`)})`,
    ]),
  },
  {
    ...{ title: 'Quarantined delivery files', width: 8, unit: 'short', thresholds: [[1, 'red']] },
    description:
      'Files of deliveries that the database rejected while it accepted others, since the start of the process.',
    queries: [['{{instance}}', `midroll_delivery_parcels_set_aside_total{${nodes}}`]],
  },
];

export const rows = [
  ['Service health', serviceHealth],
  ['Process', processPanels],
  ['Administrative API', administration],
  ['Notices', notices],
  ['Session store', sessionStore],
  ['Delivery and beacons', [...delivery, ...pendingBeacons]],
  ['Live port', livePort],
  ['Viewers and channels', audience],
  ['Ads', ads],
  ['Creatives', creatives],
  ['Stores', stores],
  ['Webhooks', webhooks],
];
