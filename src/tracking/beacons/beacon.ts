// SPDX-License-Identifier: Apache-2.0
// A beacon: one tracking URL that is to be requested once. These are the states of its row in the ledger.
import type { Millis } from '../../time/units.ts';

/** A beacon before it is sent. Session, owner, event and `nth` identify it. */
export type NewBeacon = {
  readonly tenant: string;
  readonly channelId: string;
  readonly sessionId: string;
  /** The ad, or the break for events of the break. */
  readonly ownerId: string;
  readonly event: string;
  /** The index of the URL among those of the event. */
  readonly nth: number;
  /** With macros replaced. */
  readonly url: string;
  readonly viewer: { readonly address: string; readonly userAgent: string };
  readonly recordedAt: Millis;
  readonly dueAt: Millis;
};

/** A beacon that one process may send until its claim expires. */
export type ClaimedBeacon = Pick<NewBeacon, 'tenant' | 'channelId' | 'url' | 'viewer' | 'recordedAt'> & {
  readonly seq: number;
  readonly host: string;
  /** Including the current attempt. */
  readonly attempts: number;
};

export type Settlement = {
  readonly seq: number;
  readonly at: Millis;
  readonly status?: number;
  /** Without secrets, for example `returned status 503`. */
  readonly error?: string;
} & (
  | { readonly outcome: 'sent' | 'failed' }
  /** To be retried at `dueAt`. `isUnsure`: the request may have arrived despite the failure. */
  | { readonly outcome: 'later'; readonly dueAt: Millis; readonly isUnsure: boolean; readonly attempts: number }
);

type BeaconOutcome = 'pending' | 'sent' | 'failed';

export type BeaconRow = Omit<NewBeacon, 'tenant' | 'nth' | 'viewer'> & {
  /** Increases with every row. */
  readonly seq: number;
  readonly host: string;
  readonly outcome: BeaconOutcome;
  readonly attempts: number;
  /** Failed attempts that may have arrived; the server may have counted them. */
  readonly unsure: number;
  readonly status?: number;
  readonly error?: string;
  readonly settledAt?: Millis;
};

export type BeaconFilter = Pick<NewBeacon, 'tenant'> &
  Partial<Pick<BeaconRow, 'channelId' | 'sessionId' | 'host' | 'outcome'>> & {
    /** By the time of recording; `to` is exclusive. */
    readonly from: Millis;
    readonly to: Millis;
  };

/** The last row of a page; the next page begins after it. */
export type BeaconCursor = { readonly recordedAt: number; readonly seq: number };

export type HostRow = {
  readonly host: string;
  readonly pending: number;
  readonly sent: number;
  /** Beacons in `sent` that required more than one attempt. */
  readonly recovered: number;
  readonly failed: number;
  /** Failed attempts that may have arrived. */
  readonly unsure: number;
  /** When the oldest failed beacon that is to be retried was recorded. */
  readonly waitingSince?: Millis;
};

/** What reports count. */
export type BeaconFact = Pick<ClaimedBeacon, 'tenant' | 'channelId' | 'host'> & {
  /** `sent`: the first attempt; `retried`: each further one; `recovered`: a retry succeeded; `failed`: it was abandoned. */
  readonly step: 'sent' | 'retried' | 'recovered' | 'failed';
  readonly at: Millis;
};
