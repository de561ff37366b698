// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { AdRequest } from './AdRequest.tsx';
import { AdRow } from './AdRow.tsx';
import { BreakBar } from './BreakBar.tsx';
import { adBeacons } from './beacons.ts';
import { describePosition, isVmapRecord, vodBreakName } from './breakNames.ts';
import { breakStatuses, breakSummary, filledSeconds } from './breakSummary.ts';
import { ReplayBreak } from './ReplayBreak.tsx';

type BreakCardProps = {
  readonly session: string;
  readonly one: TracedBreak;
  /** Of the whole session. */
  readonly beacons: readonly BeaconResponse[];
  readonly isVod: boolean;
  /** At first: later it is up to the operator, also when newer breaks come. */
  readonly isOpen: boolean;
};

/** A break: its ads, its ad request and the warnings about the response. */
export function BreakCard({ session, one, beacons, isVod, isOpen }: BreakCardProps) {
  const [isInitiallyOpen] = useState(isOpen);
  const { position, reason, warnings } = one;
  const isDocument = isVod && isVmapRecord(one);
  /** A break of VoD without ads is left out, so it has no length. */
  const hasLength = one.duration > 0;
  return (
    <details class="card break-card" open={isInitiallyOpen}>
      <summary>
        {isVod ? (
          <strong>{vodBreakName(one)}</strong>
        ) : (
          <time dateTime={one.startsAt}>{formatTimeOfDay(one.startsAt)}</time>
        )}
        {isDocument ? (
          <StatusBadge status={reason === undefined ? ['info', 'Response'] : ['bad', 'Failed']} />
        ) : (
          <StatusBadge status={breakStatuses[one.status]} />
        )}
        <span class="break-summary">{isDocument ? (reason?.text ?? 'Names the breaks') : breakSummary(one)}</span>
        {hasLength ? (
          <span class="small muted number">
            {formatDuration(filledSeconds(one))} of {formatDuration(one.duration)}
          </span>
        ) : null}
      </summary>
      <div class="stack">
        {position ? <p class="small muted">{describePosition(position)}</p> : null}
        {hasLength ? <BreakBar one={one} /> : null}
        {reason && one.ads.length > 0 ? <p>{reason.text}</p> : null}
        {one.ads.length > 0 ? (
          <ol class="ads">
            {one.ads.map((ad, index) => (
              <AdRow key={`${ad.adId} ${index}`} {...{ ad, isVod }} beacons={adBeacons(beacons, one.id, ad.adId)} />
            ))}
          </ol>
        ) : null}
        <AdRequest one={one} />
        {isDocument ? null : <ReplayBreak {...{ session, one }} />}
        {warnings.length > 0 ? (
          <details>
            <summary>{plural(warnings.length, 'response warning')}</summary>
            <ul class="warnings">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </details>
  );
}
