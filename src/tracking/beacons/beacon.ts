// A beacon: one tracking URL that is told once, and all that is known of the telling. It knows the stages of a row in the
// ledger; who keeps it and how it is sent is somebody else's.
import type { Millis } from '../../time/units.ts';

/** As it is written down, before anybody sends it. Session, owner, event and place make it unique. */
export type NewBeacon = {
  readonly tenant: string;
  readonly channelId: string;
  readonly sessionId: string;
  /** The ad; the break where the event is the break's own. */
  readonly ownerId: string;
  readonly event: string;
  /** Which URL of the event, from 0. */
  readonly nth: number;
  /** With its macros filled in. */
  readonly url: string;
  readonly viewer: { readonly address: string; readonly userAgent: string };
  readonly recordedAt: Millis;
  readonly dueAt: Millis;
};

/** One that is somebody's to send, for a while. */
export type ClaimedBeacon = {
  readonly tenant: string;
  readonly seq: number;
  readonly channelId: string;
  readonly host: string;
  readonly url: string;
  readonly viewer: NewBeacon['viewer'];
  readonly recordedAt: Millis;
  /** This one included. */
  readonly attempts: number;
};

/** What became of an attempt. `isUnsure`: it may have arrived all the same. */
export type Settlement = {
  readonly seq: number;
  readonly at: Millis;
  readonly status?: number;
  /** A predicate of the server without secrets, e.g. `answered 503`. */
  readonly error?: string;
} & (
  | { readonly outcome: 'sent' | 'failed' }
  /** Tried again from `dueAt` on. */
  | { readonly outcome: 'later'; readonly dueAt: Millis; readonly isUnsure: boolean; readonly attempts: number }
);

export type BeaconOutcome = 'pending' | 'sent' | 'failed';

/** A row of the ledger as it is shown. */
export type BeaconRow = {
  /** Counts rows. */
  readonly seq: number;
  readonly recordedAt: Millis;
  readonly dueAt: Millis;
  readonly channelId: string;
  readonly sessionId: string;
  readonly ownerId: string;
  readonly event: string;
  readonly host: string;
  readonly url: string;
  readonly outcome: BeaconOutcome;
  readonly attempts: number;
  /** Attempts of which nobody knows whether they arrived: the server may have counted them. */
  readonly unsure: number;
  readonly status?: number;
  readonly error?: string;
  readonly settledAt?: Millis;
};

export type BeaconFilter = {
  readonly tenant: string;
  /** Of the time at which it was written down; `to` excluded. */
  readonly from: Millis;
  readonly to: Millis;
  readonly channelId?: string;
  readonly sessionId?: string;
  readonly host?: string;
  readonly outcome?: BeaconOutcome;
};

/** Where a page ended: the next begins behind it. */
export type BeaconCursor = { readonly recordedAt: number; readonly seq: number };

export type HostRow = {
  readonly host: string;
  readonly pending: number;
  readonly sent: number;
  /** Of those sent, the ones that needed more than one attempt. */
  readonly recovered: number;
  readonly failed: number;
  /** Attempts of which nobody knows whether they arrived. */
  readonly unsure: number;
  /** When the oldest of those was written down that were tried in vain and are tried again. */
  readonly waitingSince?: Millis;
};

/** What the reports count: `sent` at the first sending, `retried` at each later one. */
export type BeaconFact = {
  readonly tenant: string;
  readonly channelId: string;
  readonly host: string;
  readonly step: 'sent' | 'retried' | 'recovered' | 'failed';
  readonly at: Millis;
};
