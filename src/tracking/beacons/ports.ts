// SPDX-License-Identifier: Apache-2.0
// What the sending of beacons needs from outside: a ledger, and a client that sends.
import type { Millis } from '../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, ClaimedBeacon, HostRow, NewBeacon, Settlement } from './beacon.ts';

/** An outage of a host leaves any number of beacons behind, and counting them takes as long. */
export const BACKLOG_LIMIT = 10_000;

export type BeaconStore = {
  /** On disk when it resolves. Existing rows are not changed. */
  record(beacons: readonly NewBeacon[]): Promise<void>;
  dueHosts(now: Millis): Promise<string[]>;
  /** Claims at most `most` beacons until an instant, oldest due time first. An expired claim can be claimed again. */
  claim(host: string, most: number, now: Millis, until: Millis): Promise<ClaimedBeacon[]>;
  settle(settlement: Settlement): Promise<void>;
  /** Beacons whose next attempt is due: how many, at most BACKLOG_LIMIT, and when that of the first one was due. */
  backlog(now: Millis): Promise<{ readonly count: number; readonly oldestDue?: Millis }>;
  /** In the order of recordedAt and seq. */
  list(filter: BeaconFilter, after: BeaconCursor | undefined, most: number): Promise<BeaconRow[]>;
  /** Totals by host of a tenant's beacons that were recorded between two instants. */
  hosts(tenant: string, from: Millis, to: Millis): Promise<HostRow[]>;
  /** Deletes up to a few thousand rows that were recorded before an instant, except of VoD sessions. @returns how many */
  forget(before: Millis): Promise<number>;
};

export type BeaconResult =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly status?: number;
      /** `never`: the failure is permanent. */
      readonly retry: 'later' | 'never';
      /** The request may have arrived despite the failure. */
      readonly isUnsure: boolean;
    };

/** Does not throw for failures of the host or the network. */
export type SendBeacon = (beacon: Pick<ClaimedBeacon, 'tenant' | 'url' | 'viewer'>) => Promise<BeaconResult>;

/** Pauses requests to hosts that fail repeatedly. */
export type HostBreaker = {
  /** Whether a request may be sent now. If true, `report` must follow. */
  maySend(host: string): boolean;
  report(host: string, outcome: 'worked' | 'failed' | 'unclear'): void;
};
