// SPDX-License-Identifier: Apache-2.0
import type { TracedAd } from '../../../src/http/contract/airContract.ts';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { Beacons } from './Beacons.tsx';
import type { AdStatus } from './breakSummary.ts';
import { adReason, adStatus } from './breakSummary.ts';
import { Delivered } from './Delivered.tsx';

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
      <p class="small muted ids">
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
