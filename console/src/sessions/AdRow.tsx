// SPDX-License-Identifier: Apache-2.0
import type { TracedAd } from '../../../src/http/contract/airContract.ts';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { Badge, StatusBadge, type Statuses, type Tone } from '../components/feedback/Badge.tsx';
import { fieldLabel } from '../format/labels.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { beaconStatus } from './beacons.ts';
import { type AdStatus, adReason, adStatus } from './breakSummary.ts';

const adStatuses: Statuses<AdStatus> = {
  delivered: ['good', 'Delivered'],
  scheduled: ['info', 'Scheduled'],
  notFetched: ['warn', 'Not fetched'],
  skipped: ['bad', 'Skipped'],
};

type AdRowProps = {
  readonly ad: TracedAd;
  readonly beacons: readonly BeaconResponse[];
  /** Ads of VoD have no time of day: viewers pause and seek. */
  readonly isVod: boolean;
};

/** One ad: how much of it was delivered, or why it was skipped or cut. */
export function AdRow({ ad, beacons, isVod }: AdRowProps) {
  const { adId, creativeId, title, duration, outcome, startsAt, delivered, reason } = ad;
  const text = adReason(ad);
  const status = adStatus(ad, isVod ? undefined : serverNow());
  const ids: readonly (readonly [label: string, id: string | undefined])[] = [
    ['Ad', adId],
    ['creative', creativeId],
    ...(text === undefined
      ? []
      : ([
          ['code', reason?.code],
          ['fault', reason?.fault],
        ] as const)),
  ];
  return (
    <li class={outcome}>
      <div class="row">
        <StatusBadge status={adStatuses[status]} />
        <strong>{title || adId}</strong>
        <span class="small muted">
          {formatDuration(duration)}
          {startsAt === undefined || isVod ? '' : `, at ${formatTimeOfDay(startsAt)}`}
        </span>
      </div>
      {text === undefined ? null : <p class="reason">{text}</p>}
      <p class="small muted wraps">
        {ids
          .filter(([, id]) => id !== undefined)
          .map(([label, id], index) => (
            <span key={label}>
              {index > 0 ? ', ' : ''}
              {label} <code>{id}</code>
            </span>
          ))}
      </p>
      {delivered && status !== 'scheduled' ? <Delivered delivered={delivered} duration={duration} /> : null}
      <Beacons beacons={beacons} />
    </li>
  );
}

type DeliveredProps = { readonly delivered: NonNullable<TracedAd['delivered']>; readonly duration: number };

/** How much of an ad the player fetched, and the events that follow from it. */
const Delivered = ({ delivered: { seconds, events }, duration }: DeliveredProps) => (
  <p class="small">
    Delivered {formatDuration(seconds)} of {formatDuration(duration)}
    {events.length === 0 ? '' : ': '}
    {events.map((event) => fieldLabel(event).toLowerCase()).join(', ')}
  </p>
);

const beaconTones: Readonly<Record<BeaconResponse['outcome'], Tone>> = {
  pending: 'calm',
  sent: 'good',
  failed: 'bad',
};

const count = (beacons: readonly BeaconResponse[], outcome: BeaconResponse['outcome']): number =>
  beacons.filter((beacon) => beacon.outcome === outcome).length;

/** The outcome of each beacon of an ad. */
function Beacons({ beacons }: { readonly beacons: readonly BeaconResponse[] }) {
  if (beacons.length === 0) return null;
  const [sent, failed] = [count(beacons, 'sent'), count(beacons, 'failed')];
  return (
    <details>
      <summary>
        {sent} of {beacons.length} beacons sent{failed > 0 ? `, ${failed} failed` : ''}
      </summary>
      <ul class="beacons">
        {beacons.map((beacon) => (
          <li key={beacon.id}>
            <time dateTime={beacon.dueAt}>{formatTimeOfDay(beacon.settledAt ?? beacon.dueAt)}</time>
            <strong>{beacon.event}</strong>
            <Badge tone={beaconTones[beacon.outcome]}>{beaconStatus(beacon)}</Badge>
            <code class="url muted">{beacon.url}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
